create table note (text text);

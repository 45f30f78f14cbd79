console.log('a script, not a server');

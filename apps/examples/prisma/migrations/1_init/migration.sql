CREATE TABLE "Author" (
    "id" SERIAL PRIMARY KEY,
    "name" TEXT NOT NULL
);

CREATE TABLE "Book" (
    "id" SERIAL PRIMARY KEY,
    "title" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "authorId" INTEGER NOT NULL REFERENCES "Author" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

INSERT INTO "Author" ("name") VALUES ('Isaac Newton'), ('Charles Darwin'), ('Rachel Carson');

INSERT INTO "Book" ("title", "year", "authorId") VALUES
    ('Mathematical Principles', 1687, 1),
    ('On the Origin of Species', 1859, 2),
    ('The Descent of Man', 1871, 2),
    ('Silent Spring', 1962, 3);

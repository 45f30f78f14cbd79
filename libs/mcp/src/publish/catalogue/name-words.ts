/**
 * Returns the words of a name: `findAll`, `find_all` and `find-all` have two words. Digits belong
 * to the preceding word.
 */
export function nameWords(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\p{L}+\d*|\d+/gu) ?? [];
}

/**
 * Removes the word "Controller" at the end of the class name: `TasksController.list` becomes
 * `Tasks.list`.
 */
export function shortLabel(name: string): string {
  return name.replace(/(?<=\w)Controller(?=\.)/, '');
}

/**
 * Returns a name as a title: `TasksController.findAll` becomes `Tasks find all`. Abbreviations stay
 * in capitals.
 */
export function nameTitle(name: string): string {
  const words = nameWords(shortLabel(name)).map((word) =>
    /^\p{Lu}[\p{Lu}\d]+$/u.test(word) ? word : word.toLowerCase(),
  );
  const title = words.join(' ');
  return title === '' ? name : title.charAt(0).toUpperCase() + title.slice(1);
}

/** The words of a name: `findAll`, `find_all` and `find-all` have two. Digits belong to the word before them. */
export function nameWords(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\p{L}+\d*|\d+/gu) ?? [];
}

/** A name without the word "Controller" at the end of its class: `Tasks.list` of `TasksController.list`. */
export function shortLabel(name: string): string {
  return name.replace(/(?<=\w)Controller(?=\.)/, '');
}

/** The words of a name as a title: `Tasks find all` of `TasksController.findAll`. Abbreviations stay in capitals. */
export function nameTitle(name: string): string {
  const words = nameWords(shortLabel(name)).map((word) =>
    /^\p{Lu}[\p{Lu}\d]+$/u.test(word) ? word : word.toLowerCase(),
  );
  const title = words.join(' ');
  return title === '' ? name : title.charAt(0).toUpperCase() + title.slice(1);
}

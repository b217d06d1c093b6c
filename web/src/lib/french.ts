/** What French asks of the words around a name. */

/** “de Bob”, “d'Ada”. */
export function de(name: string): string {
  return /^[aeiouœæ]/i.test(name.normalize('NFD')) ? `d'${name}` : `de ${name}`
}

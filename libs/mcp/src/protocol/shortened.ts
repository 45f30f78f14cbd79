/** A name a client sent, fit to be echoed: it may be of any length. */
export function shortened(name: string): string {
  return name.length > 128 ? `${name.slice(0, 128)}...` : name;
}

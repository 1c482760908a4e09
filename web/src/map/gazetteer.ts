export type Town = { label: string; lat: number; lon: number }

/** Towns, the larger ones first, and their folded names. */
export type Gazetteer = { towns: Town[]; names: string[] }

/** Lower case without accents: `orebro` finds Örebro. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Towns of which a word begins like the text, those whose name begins so first. */
export function townsLike({ towns, names }: Gazetteer, text: string, most: number): Town[] {
  const sought = folded(text.trim())
  if (!sought) return []
  const [first, later]: [Town[], Town[]] = [[], []]
  for (const [i, name] of names.entries()) {
    if (name.startsWith(sought)) first.push(towns[i]!)
    else if (name.includes(` ${sought}`) || name.includes(`-${sought}`)) later.push(towns[i]!)
    if (first.length === most) break
  }
  return [...first, ...later].slice(0, most)
}

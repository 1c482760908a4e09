/** The ranks that several of these entries, in order of their ranks, share. */
export function tiesOf(entries: { ranking?: number }[]): Set<number> {
  const shared = new Set<number>()
  for (const [i, { ranking }] of entries.entries())
    if (ranking !== undefined && entries[i - 1]?.ranking === ranking) shared.add(ranking)
  return shared
}

/** The area of a UTM zone given as a PROJ string: to the centres of its neighbours, in its hemisphere. */
export function utmArea(text: string): number[] | undefined {
  const zone = Number(/^\+proj=utm .*\+zone=(\d{1,2})\b/.exec(text)?.[1])
  if (!(zone >= 1 && zone <= 60)) return undefined
  const middle = zone * 6 - 183
  const [south, north] = /\+south\b/.test(text) ? [-80, 0] : [0, 84]
  return [middle - 6, south, middle + 6, north].map((degrees, i) => (i % 2 ? degrees : ((degrees + 540) % 360) - 180))
}

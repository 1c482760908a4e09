/** What a bracket says heights are above, with a word for each. */
const HEIGHT_KINDS: [word: string, inside: RegExp][] = [
  ['ellipsoidalheight', /(?<!\b(?:not|non|no|nicht) )(?:ellips|elips|эллипс)|(?:^|[^a-z])(?:hae|ell)(?:[^a-z]|$)/i],
  ['z', /(?:^|[^a-z])(?:local|relative|agl|above ground|assumed|arbitrary|baro)(?:[^a-z]|$)/i],
  [
    'altitude',
    /(?:^|[^a-z])(?:a?msl|m\.?s\.?l|a\.?s\.?l|nhn|nn|m\.?s\.?n\.?m|s\.?l\.?m|n\.?p\.?m|orthom\w*|ortom\w*|sea level)(?:[^a-z]|$)/i,
  ],
]

/** `Alt (HAE)`, `H (MSL)`, `Altitude (AGL)`: the word that a bracket makes of one for heights. */
export const heightKindIn = (brackets: readonly string[]): string | undefined =>
  HEIGHT_KINDS.find(([, inside]) => brackets.some((bracket) => inside.test(bracket)))?.[0]

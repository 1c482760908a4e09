/** Maximum length of a line. */
const MAX_LINE = 512

const datums = [
  ...[
    'NAVD ?88',
    'NGVD ?29',
    'CGVD ?(?:28|2013)',
    'DHHN ?(?:2016|92|85)',
    'NN ?(?:2000|1954|54)',
    'RH ?(?:2000|70|00)',
  ],
  ...[
    'EGM ?(?:96|2008|08|84)',
    'EVRF ?20(?:00|07|19)',
    'NGF(?:[ -]?IGN ?69)?',
    'IGN ?69',
    'ODN',
    'NAP',
    'N ?(?:2000|60)',
    'GCG ?20(?:11|16)',
    'PL-?(?:KRON|EVRF ?20)(?:86|07)-?NH',
    'KRON ?86',
    'Kronsz?tadt ?86',
    'Malin ?Head',
    'DVR ?90',
  ],
  ...['Baltic ?19(?:57|77)', 'Bpv', 'LN ?02', 'LHN ?95', 'TAW', 'AHD', 'NZVD ?20(?:09|16)'],
].join('|')

const inLine = new RegExp(`(?:^|[^\\p{L}\\p{N}])(${datums})(?![\\p{L}\\p{N}])`, 'u')
const inHeader = new RegExp(
  `(?:${datums.replaceAll(/\[ -]\?| \?/g, '')}|AOD|Malin)(?=ft|us|m|h(?:eigh)?t|hgt|elev|hoogte|hoe?he|$)`,
  'i',
)

/** Not `Vertical datum: MSL, Ellipsoid: WGS84`, where the ellipsoid is that of the positions. */
const ellipsoid =
  /\b(?:heights?|elevations?|vertical (?:datum|crs|reference)|höhen\p{L}{0,20})\b(?!.{0,20}\b(?:not|nicht|a?msl|sea|nhn|nn|geoid|ortho\p{L}{0,9})\b)[\s:=,;]{0,5}[^,;|]{0,20}\bellipsoid|\bellipsoid(?:al|isch)?e? (?:heights?|höhen?)\b/iu

/** The height datum in a line above a table, as in `Heights: DHHN2016` or `… + NAVD88 height`. */
export const heightDatumIn = (line: string): string | undefined =>
  line.length > MAX_LINE ? undefined : (inLine.exec(line)?.[1] ?? (ellipsoid.test(line) ? 'ellipsoid' : undefined))

/** The height datum in the header of a column, as in `Höhe (DHHN2016)`, `hoogte_nap`, `H_NN2000`. */
export const heightDatumInHeader = (header: string): string | undefined =>
  header.length > MAX_LINE ? undefined : inHeader.exec(header.replace(/[^\p{L}\p{N}]/gu, ''))?.[0]

const whole = new Intl.NumberFormat()
const scale = ['B', 'kB', 'MB', 'GB', 'TB']

/** A count or score in the browser's way of writing figures. */
export const formatNumber = (n: number): string => whole.format(n)

/** Bytes in decimal units, three digits. */
export function formatBytes(n: number): string {
  const step = n < 1 ? 0 : Math.min(scale.length - 1, Math.floor(Math.log10(n) / 3))
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(n / 1000 ** step)} ${scale[step]}`
}

/** A share of 1 in percent. */
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 }).format(share)

/** Metres, to the centimetre. */
export const formatMetres = (m: number): string =>
  `${new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(m)} m`

/** Degrees as surveys write them, latitude first. */
export const formatCoordinates = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`

/** Of a search the service tells so many at most, where a list is long. */
export const SEARCH_LIMIT = 1000
/** What another filter leaves it counts up to there. */
export const COUNT_LIMIT = 10_000
/** How many a list has: "1,000+" where the service stopped counting. @param countLimit undefined: it counts all */
export const formatTotal = (total: number, countLimit?: number): string =>
  total === countLimit ? `${formatNumber(total)}+` : formatNumber(total)

const whole = new Intl.NumberFormat()
const scale = ['B', 'kB', 'MB', 'GB', 'TB']

/** A count or score in the browser's way of writing figures. */
export const figure = (n: number): string => whole.format(n)

/** Bytes in decimal units, three digits. */
export function bytesOf(n: number): string {
  const step = n < 1 ? 0 : Math.min(scale.length - 1, Math.floor(Math.log10(n) / 3))
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(n / 1000 ** step)} ${scale[step]}`
}

/** A share of 1 in percent. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 }).format(share)

/** Metres, to the centimetre. */
export const metresOf = (m: number): string =>
  `${new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(m)} m`

/** Degrees as surveys write them, latitude first. */
export const coordinates = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`

/** Where the service stops to count what a search or another filter leaves. */
const COUNTED_UP_TO = [1000, 10_000]
/** How many a list has: "1,000+" where the service may have stopped counting. @param isFiltered a search or a filter is set, or there is more than what is shown */
export const totalFigure = (total: number, isFiltered: boolean): string =>
  isFiltered && COUNTED_UP_TO.includes(total) ? `${figure(total)}+` : figure(total)

/** Codes for which `cs2cs` of Debian's PROJ 9.1.1 differs, and why the service is correct, or equally so. */
export type Known = { codes: number[]; why: string }

/** Different positions, by at most `metres` from `cs2cs`. */
export const knownDifferences: (Known & { metres: number })[] = [
  {
    codes: [3973, 3974, 3975, 9311],
    metres: 40_000,
    why: 'PROJ 9.1.1 computes these methods of a sphere on the ellipsoid; the service computes them on the sphere of the same area, as Guidance Note 7-2 defines them.',
  },
  {
    codes: [4087, 32663],
    metres: 30_000,
    why: "PROJ 9.1.1 computes Equidistant Cylindrical on a sphere; the service gives Guidance Note 7-2's worked example to the centimetre.",
  },
  {
    codes: [5633, 5635, 6931, 6932],
    metres: 0.002,
    why: 'PROJ 9.8.1 computes Lambert Azimuthal Equal Area with a longer series: 1 to 2 mm.',
  },
  {
    codes: [4307, 30729, 30730, 30731, 30732, 30791, 30792],
    metres: 15,
    why: 'EPSG has two operations for all of Algeria (5660 and, new, 10296), both stated to 1 m and up to 13 m apart.',
  },
  {
    codes: [24377],
    metres: 15,
    why: 'EPSG has operations of overlapping oil fields in Pakistan, each stated to 3 m and up to 12 m apart.',
  },
  {
    codes: [3908, 8678],
    metres: 2.5,
    why: 'EPSG has operations of neighbouring states of former Yugoslavia, each stated to 1 m and 2.2 m apart at the border.',
  },
]

/** Refused, although `cs2cs` gives a position. */
export const knownRefusals: Known[] = [
  { codes: [31300], why: 'PROJ leaves out a part of its method: 745 m. EPSG:31370 is the same system.' },
  { codes: [32662], why: 'PROJ computes this method of a sphere on the ellipsoid: up to 25 km.' },
  {
    codes: [29371, 29373, 29375, 29377, 29379, 29381, 29383, 29385],
    why: 'Its coordinates are counted from 22° S to either side: a file does not say to which.',
  },
  { codes: [6622, 6624], why: 'The register no longer has an operation from NAD83(CSRS)v2 to WGS 84.' },
  {
    codes: [7680, 7906, 8994, 9475],
    why: 'PROJ in WebAssembly gives up on operations over a third frame. Its positions are those of WGS 84 to a decimetre: name EPSG:4979.',
  },
]

/** @returns the entry of a code, or undefined */
export const knownOf = <T extends Known>(list: readonly T[], code: number): T | undefined =>
  list.find(({ codes }) => codes.includes(code))

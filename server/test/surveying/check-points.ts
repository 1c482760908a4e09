/** Points that surveying authorities publish for testing transformations. Each group names its source. */

/** A point in a projected system and in its geographic base, without a change of datum. */
export type ProjectionPoint = {
  geographic: number
  projected: number
  latitude: number
  longitude: number
  easting: number
  northing: number
}

/** A point in a system and in WGS 84 or ETRS89, which agree within the stated accuracies. */
export type DatumPoint = { name: string; latitude: number; longitude: number; easting: number; northing: number }

const dms = (degrees: number, minutes: number, seconds = 0) => degrees + minutes / 60 + seconds / 3600

const projected = (
  geographic: number,
  code: number,
  points: [latitude: number, longitude: number, easting: number, northing: number][],
): ProjectionPoint[] =>
  points.map(([latitude, longitude, easting, northing]) => ({
    geographic,
    projected: code,
    latitude,
    longitude,
    easting,
    northing,
  }))

/**
 * Worked examples of IOGP Publication 373-7-2 (Guidance Note 7-2), of the Geospatial Information Authority of Japan
 * (survey calculation "bl2xy") and of swisstopo ("Formulas and constants for the calculation of the Swiss conformal
 * cylindrical projection"). Correct to a few centimetres, as the examples round angles to 0.001".
 */
export const WORKED_EXAMPLES: ProjectionPoint[] = [
  // Oblique Stereographic
  ...projected(4289, 28992, [[53, 6, 196_105.283, 557_057.739]]),
  // Transverse Mercator, and South Orientated
  ...projected(4277, 27700, [[50.5, 0.5, 577_274.99, 69_740.5]]),
  ...projected(4148, 2053, [[-dms(25, 43, 55.302), dms(28, 16, 57.479), -71_984.49, -2_847_342.74]]),
  ...projected(6668, 6677, [[36.103774791666666, 140.08785504166664, 22_916.2436, 11_543.6883]]),
  // Krovak, and Modified
  ...projected(4156, 5514, [[dms(50, 12, 32.442), dms(16, 50, 59.179), -568_991, -1_050_538.63]]),
  ...projected(5228, 5516, [[dms(50, 12, 32.442), dms(16, 50, 59.179), -5_568_990.91, -6_050_538.71]]),
  // Hotine Oblique Mercator, variants B and A; Laborde
  ...projected(4150, 2056, [[dms(47, 3, 28.95659233), dms(8, 29, 11.11127154), 2_679_520.05, 1_212_273.44]]),
  ...projected(4298, 29873, [[dms(5, 23, 14.1129), dms(115, 48, 19.8196), 679_245.73, 596_562.78]]),
  ...projected(4297, 8441, [[-dms(16, 11, 23.28), dms(44, 27, 27.26), 188_333.848, 1_098_841.091]]),
  // Cassini-Soldner in Clarke's links, and Hyperbolic
  ...projected(4302, 30200, [[10, -62, 66_644.94, 82_536.22]]),
  ...projected(4748, 3139, [[-dms(16, 50, 29.2435), dms(179, 59, 39.6115), 1_601_528.9, 1_336_966.01]]),
  // Mercator, variants A and B, and Popular Visualisation
  ...projected(4257, 3002, [[-3, 120, 5_009_726.58, 569_150.82]]),
  ...projected(4284, 3388, [[53, 53, 165_704.29, 5_171_848.07]]),
  ...projected(4326, 3857, [[dms(24, 22, 54.433), -dms(100, 20), -11_169_055.58, 2_800_000]]),
  // Lambert Conic Conformal 2SP in US survey feet, 2SP Michigan, 1SP
  ...projected(4267, 32040, [[28.5, -96, 2_963_503.91, 254_759.8]]),
  ...projected(4267, 6201, [[dms(43, 45), -dms(83, 10), 2_308_335.75, 160_210.48]]),
  ...projected(4242, 24200, [[dms(17, 55, 55.8), -dms(76, 56, 37.26), 255_966.58, 142_493.51]]),
  // Polar Stereographic, variants A and B
  ...projected(4326, 5041, [[73, 44, 3_320_416.75, 632_668.43]]),
  ...projected(4326, 3032, [[-75, 120, 7_255_380.79, 7_053_389.56]]),
  // Guam; Lambert Azimuthal Equal Area; Colombia Urban; Equidistant Cylindrical
  ...projected(4675, 3993, [[dms(13, 20, 20.53846), dms(144, 38, 7.19265), 37_712.48, 35_242]]),
  ...projected(4258, 3035, [[50, 5, 3_962_799.45, 2_999_718.85]]),
  ...projected(4686, 6247, [[4.8, -74.25, 80_859.033, 122_543.174]]),
  ...projected(4326, 4087, [[55, 10, 1_113_194.91, 6_097_230.31]]),
]

/**
 * The worked example of Guidance Note 7-2 for Lambert Conic Conformal (2SP Belgium), which PROJ computes without the
 * rotation by 29.2985" that belongs to the method: 745 m off.
 */
export const LAMBERT_BELGIUM: ProjectionPoint = {
  geographic: 4313,
  projected: 31300,
  latitude: dms(50, 40, 46.461),
  longitude: dms(5, 48, 26.533),
  easting: 251_763.2,
  northing: 153_034.13,
}

/** Series 5100 of the GIGS tests (IOGP Report 430-2, Geospatial Integrity of Geoscience Software): conversions, 5 cm. */
export const GIGS_POINTS: ProjectionPoint[] = [
  // 5102 Lambert Conic Conformal (1SP)
  ...projected(4230, 2192, [
    [53, 5, 779_816.748, 2_893_981.68],
    [51, 4, 717_027.292, 2_668_695.784],
  ]),
  // 5103 Lambert Conic Conformal (2SP)
  ...projected(4313, 31370, [
    [53, 5, 192_504.921, 410_490.433],
    [51, 4, 124_202.936, 187_756.876],
    [50, 4, 123_652.406, 76_521.628],
  ]),
  // 5104 Oblique stereographic
  ...projected(4289, 28992, [
    [54, 5, 129_579.26, 668_240.58],
    [53, 5, 128_979.26, 556_953.19],
  ]),
  // 5105 Oblique Mercator (variant B)
  ...projected(4237, 23700, [
    [48, 17.2, 512_056.188, 296_756.716],
    [47.6361347222, 17.5826505556, 539_847.765, 255_701.086],
    [45.7, 21.4, 833_148.855, 42_191.482],
  ]),
  // 5106 Hotine Oblique Mercator (variant A)
  ...projected(4742, 3376, [
    [6, 117, 811_253.303, 665_041.265],
    [4, 115, 590_521.147, 442_890.861],
  ]),
  // 5107 American Polyconic
  ...projected(4674, 5880, [
    [-20, -38, 6_671_808.91963, 7_707_735.72988],
    [-30, -57, 4_710_574.22344, 6_676_097.81117],
  ]),
  // 5108 Cassini-Soldner
  ...projected(4742, 3377, [
    [1.82776484381, 103.64025984, 8_813.252, -23_740.095],
    [2.0424676812, 103.561065778, 0, 0],
  ]),
  // 5109 Albers Equal Area
  ...projected(4283, 3577, [
    [-27, 132, 0, -2_926_820.89],
    [-20, 140, 832_799.36, -2_170_181.93],
  ]),
  // 5111 Mercator (variant A)
  ...projected(4211, 3001, [
    [0, 110, 3_900_000, 900_000],
    [-4.531095, 100.0876483, 2_800_000, 400_000],
  ]),
  // 5112 Mercator (variant B)
  ...projected(4284, 3388, [[42, 51, 0, 3_819_897.85]]),
  // 5113 Transverse Mercator (South Orientated)
  ...projected(4148, 2049, [
    [-25, 21.5, 50_475.46, -2_766_147.25],
    [-30, 20.5, -48_243.45, -3_320_218.65],
  ]),
]

const datumPoints = (
  points: [name: string, latitude: number, longitude: number, easting: number, northing: number][],
): DatumPoint[] =>
  points.map(([name, latitude, longitude, easting, northing]) => ({ name, latitude, longitude, easting, northing }))

/** RDNAPTRANS2018, points of the self-validation set Z001 (NSGI: Kadaster, Rijkswaterstaat, Hydrographic Service). */
export const RDNAPTRANS2018_POINTS = datumPoints([
  ['30010000', 51.728601274, 4.712120126, 108_360.879, 415_757.2745],
  ['30010021', 52.763874938, 4.069800843, 66_080.2628, 531_539.0239],
  ['north', 53.199392335, 6.05939747, 199_920.0426, 579_403.4233],
])

/** RDNAPTRANS2008, the test sheet of the Kadaster: the points inside the Netherlands. */
export const RDNAPTRANS2008_POINTS = datumPoints([
  ['Texel', 53.160753042, 4.824761912, 117_380.12, 575_040.34],
  ['Noord-Groningen', 53.41948205, 6.776726674, 247_380.56, 604_580.78],
  ['Amersfoort', 52.155172897, 5.387203657, 155_000, 463_000],
  ['Zeeuws-Vlaanderen', 51.368607152, 3.397588595, 16_460.91, 377_380.23],
  ['Zuid-Limburg', 50.792584916, 5.773795548, 182_260.45, 311_480.67],
  ['Maasvlakte', 51.947393898, 4.072887101, 64_640.89, 440_700.0101],
])

/** Ordnance Survey, OSTN15 and OSGM15 developer pack: test input and output, ETRS89 to OSGB36. */
export const OSTN15_POINTS = datumPoints([
  ['TP01', 49.9222639373, -6.29977752014, 91_492.146, 11_318.804],
  ['TP03', 50.43885826, -4.10864564, 250_359.811, 62_016.569],
  ['TP07', 51.37447026, 1.4445473, 639_821.835, 169_565.858],
  ['TP09', 51.48936565, -0.11992557, 530_624.974, 178_388.464],
  ['TP10', 51.858908964, -4.3085247696, 241_124.584, 220_332.641],
  ['TP16', 53.3448028, -2.64049321, 357_455.843, 383_290.436],
  ['TP20', 53.8002151963, -1.66379168242, 422_242.186, 433_818.701],
  ['TP26', 55.85399953, -4.29649016, 256_340.925, 664_697.269],
  ['TP29', 57.13902519, -2.04856031, 397_160.491, 805_349.736],
  ['TP31', 57.81351838, -8.57854456, 9_587.909, 899_448.996],
  ['TP34', 58.58120461, -3.72631022, 299_721.891, 967_202.992],
  ['TP40', 60.13308092, -2.07382823, 395_999.668, 1_138_728.951],
])

/** Survey and Mapping Office, Lands Department of Hong Kong: answer of its transformation tool, HK 1980 Grid to WGS 84. */
export const HONG_KONG_POINTS = datumPoints([['Kwai Tsing', 22.322172084, 114.141187917, 832_591.32, 820_351.389]])

/**
 * Bundesamt für Kartographie und Geodäsie, check points of the grid BETA2007: DHDN to ETRS89, here `easting` and
 * `northing` are the longitude and latitude on DHDN (EPSG:4314).
 */
export const BETA2007_POINTS = datumPoints([
  ['1', 53.498461143331, 7.482506019176, 7.483333333333, 53.5],
  ['2', 48.83232718864, 10.332117283303, 10.333333333333, 48.833333333333],
  ['3', 50.082172046476, 7.999097344043, 8, 50.083333333333],
  ['4', 54.331696254077, 10.465373788153, 10.466666666667, 54.333333333333],
  ['5', 52.481930297429, 13.464913254978, 13.466666666667, 52.483333333333],
  ['6', 47.649155713893, 12.948437185277, 12.95, 47.65],
])

/**
 * Institut géographique national, worked example of the grid GR3DF97A (NTG-88): NTF to RGF93, `easting` and `northing`
 * as for BETA2007, on NTF (EPSG:4275).
 */
export const NTF_POINTS = datumPoints([['NTG-88', 48.844445839, 2.424971108, 2.425671861, 48.84451225]])

/**
 * National Geographic Institute of Belgium: a point in Belgian Lambert 72 and in Belgian Lambert 2008 (EPSG:3812), by
 * its grid bd72lb72_etrs89lb08.
 */
export const BELGIAN_POINT = {
  lambert72: [149_186.41, 170_810.74],
  lambert2008: [649_186.03701863, 670_811.1694936],
} as const

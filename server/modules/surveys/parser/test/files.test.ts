import { readdirSync } from 'node:fs'
import geodesic from 'geographiclib-geodesic'
import { describe, expect, test } from 'vitest'
import { measured, surveyFile } from '../../../../test/surveying/survey.ts'
import type { InZone } from '../layout/layout.ts'
import type { SurveyOptions } from '../read-survey.ts'

const { WGS84 } = geodesic.Geodesic
const box =
  (west: number, south: number, east: number, north: number): InZone =>
  (latitude, longitude) =>
    latitude > south && latitude < north && longitude > west && longitude < east
const inBerlin = { inZone: box(13, 52, 14, 53) }
const inMilan = { inZone: box(9, 45, 10, 46) }

type Place = readonly [latitude: number, longitude: number, h: number | null]
/** Three marks in Berlin; the grid coordinates in the files were computed with PROJ 9. */
const berlin: Place[] = [
  [52.5200066, 13.404954, 74.25],
  [52.5208182, 13.40941, 75.751],
  [52.5191234, 13.4025678, 73.5],
]
const without = (height: null): Place[] => berlin.map(([latitude, longitude]) => [latitude, longitude, height])
const lower: Place[] = berlin.map(([latitude, longitude, h]) => [latitude, longitude, h! - 39.5])

/** Results of each file: points to the centimetre, and notices. */
const read: [file: string, points: Place[], options?: SurveyOptions, notices?: string[]][] = [
  ['metashape_markers_wkt_errors.csv', berlin],
  ['metashape_projected_under_longitude.csv', berlin],
  ['odm_gcp_list_titled.txt', berlin, {}, ['IMAGE_POSITIONS_NOT_KEPT']],
  ['odm_gcp_list_proj_header.txt', berlin, {}, ['IMAGE_POSITIONS_NOT_KEPT']],
  ['gcp_editor_pro.csv', berlin],
  ['pix4d_headerless_crs_line.csv', berlin],
  ['pix4d_headerless_zone.csv', berlin, inBerlin],
  ['trimble_pnezd_headerless.csv', berlin, { crs: 'EPSG:25833' }],
  ['trimble_business_center.csv', berlin],
  ['leica_infinity_tab.txt', berlin],
  ['leica_german_tab.txt', berlin, {}, ['ENCODING_FALLBACK']],
  ['topcon_magnet.txt', berlin],
  ['carlson_survce.csv', berlin],
  ['surpad_blh.csv', berlin],
  ['emlid_flow.csv', berlin],
  ['emlid_local_only_grid.csv', berlin],
  ['bad_elf.csv', berlin],
  ['sw_maps.csv', lower],
  ['qgis_xy.csv', without(null)],
  ['qgis_wkt_utm.csv', berlin],
  ['qfield_wkt.csv', berlin],
  ['combined_column.csv', berlin, {}, ['COLUMNS_ASSUMED']],
  ['realitycapture_hash_header.csv', berlin, { crs: 'ETRS89 / UTM zone 33N' }],
  ['context_capture.txt', berlin],
  ['dji_terra.txt', berlin, inBerlin],
  ['three_d_survey.txt', berlin],
  ['excel_title_units_thousands.csv', berlin],
  ['excel_gaps_and_apostrophes.csv', berlin],
  ['header_names_utm.csv', berlin],
  ['ecef.csv', berlin],
  ['decimal_minutes.csv', without(null)],
  ['dms_gaps.csv', without(null)],
  ['odm_title_first.txt', berlin, {}, ['IMAGE_POSITIONS_NOT_KEPT']],
  ['topcon_machine_control.csv', berlin],
  ['micmac_trailing_tabs.txt', berlin],
  ['two_measurements.csv', berlin, { crs: '25833' }],
  ['utm_zone_column.csv', without(null)],
  ['northing_easting_in_degrees.csv', without(null), {}, ['COLUMNS_ASSUMED']],
  [
    'odm_polish_nickname.txt',
    [
      [52.2297, 21.0122, 110.5],
      [52.2301, 21.013, 111.5],
    ],
    {},
    ['IMAGE_POSITIONS_NOT_KEPT'],
  ],
  [
    'norwegian.csv',
    [
      [59.9139, 10.7522, 12.5],
      [59.9145, 10.753, 13.5],
    ],
  ],
  ['commented_rows.csv', [berlin[0]!, berlin[2]!]],
  [
    'french.csv',
    [
      [48.85, 2.35, 35.5],
      [48.8512345, 2.3512345, 36.25],
    ],
  ],
  [
    'spanish.csv',
    [
      [40.4168, -3.7038, 650.1],
      [40.4175, -3.7045, 651.2],
    ],
  ],
  [
    'italian.csv',
    [
      [45.4642, 9.19, 120.5],
      [45.465, 9.1915, 121.25],
    ],
    { crs: 'WGS 84 / UTM zone 32N', ...inMilan },
  ],
  [
    'portuguese.csv',
    [
      [-23.5505, -46.6333, 760.5],
      [-23.551, -46.634, 761.5],
    ],
  ],
  ['british_grid.csv', [[51.503990828, -0.12835394, 20]]],
  ['dutch.csv', [[52.155172301, 5.387203508, 12.345]]],
  [
    'polish_x_is_north.txt',
    [
      [52.2297, 21.0122, 110.5],
      [52.2301, 21.013, 111.5],
    ],
    {},
    ['AXES_ASSUMED'],
  ],
  [
    'swedish.csv',
    [
      [59.3293, 18.0686, 12.5],
      [59.33, 18.07, 13.5],
    ],
  ],
  [
    'czech_krovak.csv',
    [
      [50.087346615, 14.418593891, 200.5],
      [50.087269803, 14.418751385, 201.5],
    ],
  ],
  [
    'russian.csv',
    [
      [55.7558, 37.6173, 150.5],
      [55.7561, 37.618, 151.5],
    ],
  ],
  [
    'japanese.csv',
    [
      [35.6812, 139.7671, 40.5],
      [35.6815, 139.768, 41.5],
    ],
  ],
  [
    'state_plane_us_feet.csv',
    [
      [28.5383, -81.3792, (100 * 1200) / 3937],
      [28.539, -81.38, (200 * 1200) / 3937],
    ],
  ],
  [
    'gps_logger_sides.csv',
    [
      [-33.8688, 151.2093, 58.5],
      [-33.869, 151.21, 59.5],
    ],
  ],
]

/** Refused files, and the required content of their errors. */
const refused: [file: string, code: string, tells: RegExp, options?: SurveyOptions][] = [
  ['refused_no_system.csv', 'UNKNOWN_CRS', /names no reference system: put a line such as EPSG:\d+ above the header/],
  ['refused_no_system.csv', 'UNKNOWN_CRS', /in EPSG:32633 the points would be in their zone/, inBerlin],
  ['refused_headerless.csv', 'AMBIGUOUS_COLUMNS', /put the line "title,lat,lon,z" or "title,lon,lat,z" on top/],
  [
    'refused_unknown_header.csv',
    'AMBIGUOUS_COLUMNS',
    /Kennung, Wert eins, Wert zwei.*"title;lat;lon" or "title;lon;lat"/,
  ],
  ['refused_header_only.csv', 'EMPTY_FILE', /no rows below its header/],
  ['refused_local_system.csv', 'UNKNOWN_CRS', /"Site grid 5".*put a line such as EPSG:/],
]

describe('sample files of programs', () => {
  test.each(read)('%s', async (file, expected, options = {}, notices = []) => {
    const survey = await surveyFile(`layouts/${file}`, options)
    expect(survey.faulty).toEqual([])
    expect(survey.points).toHaveLength(expected.length)
    for (const [i, [latitude, longitude, h]] of expected.entries()) {
      const point = survey.points[i]!
      const { s12 } = WGS84.Inverse(latitude, longitude, point.latitude, point.longitude)
      expect(s12).toBeLessThan(0.01)
      if (h === null) expect(measured(point)).toBeNull()
      else expect(Math.abs(measured(point)! - h)).toBeLessThan(0.001)
    }
    expect(new Set(survey.points.map(({ title }) => title)).size).toBe(expected.length)
    // Accuracies of heights above the sea have tests of their own.
    const codes = survey.notices.map(({ code }) => code).filter((code) => code !== 'HEIGHT_ACCURACY')
    const isCoarse = survey.points.some(
      ({ transformation: way }) => way && (way.accuracy === null || way.accuracy >= 0.5),
    )
    expect([...survey.notices, ...survey.warnings].some(({ code }) => code === 'CRS_ACCURACY')).toBe(isCoarse)
    expect(codes.filter((code) => !['HEIGHT_DATUM_UNKNOWN', 'CRS_ACCURACY'].includes(code))).toEqual(notices)
  })

  test.each(refused)('refuses %s as %s', async (file, code, tells, options = {}) => {
    await expect(surveyFile(`layouts/${file}`, options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(tells),
    })
  })

  test('refuses every row under a header with swapped axes, and proposes the header line once', async () => {
    const { points, faulty, notices } = await surveyFile('layouts/refused_swapped_header.csv')
    expect(points).toEqual([])
    expect(faulty.map(({ faults }) => faults[0]!.code)).toEqual(['AXES_SWAPPED', 'AXES_SWAPPED', 'AXES_SWAPPED'])
    expect(notices).toMatchObject([
      { code: 'AXES_SWAPPED', message: expect.stringContaining('write "GCP Label,Easting,Northing,Elevation"') },
    ])
  })

  test('every sample file is in this table', () => {
    const named = new Set([
      ...read.map(([file]) => file),
      ...refused.map(([file]) => file),
      'refused_swapped_header.csv',
    ])
    const files = readdirSync(new URL('../../../../test/fixtures/gcp/layouts', import.meta.url))
    expect(
      files.filter((file) => !named.has(file)),
      'add the points of these files to the table `read`',
    ).toEqual([])
  })
})

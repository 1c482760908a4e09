import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const US_FOOT = 1200 / 3937
const geodetic = (header: string, cell = '100') => `title,lat,lon,${header}\nA,40.7,-74,${cell}\n`
const units = async (text: string, options: object = {}) =>
  (await surveyOf(text, options)).notices.filter(({ code }) => code === 'UNIT_APPLIED').map(({ message }) => message)

describe('a unit that scales coordinates or heights has a notice', () => {
  test.each([
    [
      'in a header',
      geodetic('Elevation (ft)'),
      'under "Elevation (ft)" were read in international feet (0.3048 m), the unit that their header',
    ],
    [
      'below a header',
      'title,lat,lon,z\n,deg,deg,usft\nA,40.7,-74,100\n',
      '"z" were read in US survey feet (0.3048006 m)',
    ],
    [
      'in a line above',
      `Units: US survey feet\n${geodetic('z')}`,
      'the unit in the line "Units: US survey feet" above the table',
    ],
  ])('%s', async (_, text, said) => {
    expect(await units(text)).toEqual([expect.stringContaining(said)])
  })

  test('of coordinates, with both columns', async () => {
    const text = 'title,Easting (ft),Northing (ft),z (ft)\nA,1284699.3,19094727,12\n'
    expect(await units(text, { crs: 'EPSG:32633' })).toEqual([
      expect.stringContaining('"Easting (ft)" and "Northing (ft)"'),
      expect.stringContaining('"z (ft)"'),
    ])
  })

  test('with the size of a unit of another name', async () => {
    expect(await units(geodetic('z (yd)'))).toEqual([expect.stringContaining('in units of 0.9144 m,')])
  })

  test('of metres, if the system is in feet', async () => {
    const text = 'EPSG:2263\ntitle,easting,northing,z (m)\nA,984250,200000,100\n'
    expect(await units(text)).toEqual([expect.stringContaining('"z (m)" were read in metres')])
  })

  test.each([
    ['metres', geodetic('Elevation (m)')],
    ['metres in a line above', `Units: metres\n${geodetic('z')}`],
    ['the unit of the system', 'EPSG:2263\ntitle,Easting (ft),Northing (ft),z (ft)\nA,984250,200000,100\n'],
    ['columns that have no numbers', geodetic('z (ft)', '')],
    ['a line above a column with its own unit', `Units: feet\n${geodetic('z (m)')}`],
  ])('but not %s', async (_, text) => {
    expect(await units(text)).toEqual([])
  })
})

describe('a unit before the datum', () => {
  test.each([
    ['Z_m_NAVD88', 100],
    ['Z m NAVD88', 100],
    ['Z_ft_NAVD88', 30.48],
    ['Elev_USft_NAVD88', 100 * US_FOOT],
  ])('is read like one behind it: %s', async (header, metres) => {
    const { points } = await surveyOf(geodetic(header))
    expect(points[0]).toMatchObject({ heightDatum: 'EPSG:5703' })
    expect(points[0]!.altitude).toBeCloseTo(metres, 9)
  })

  test('is not read beside another height, with a notice', async () => {
    const { points, notices } = await surveyOf(geodetic('Elevation,Z_m_NAVD88', '100,200'))
    expect(points[0]).toMatchObject({ altitude: 100, heightDatum: 'orthometric' })
    expect(notices).toContainEqual(expect.objectContaining({ code: 'HEIGHTS_NOT_READ' }))
  })

  test.each(['Z_m_Kronwerk', 'Z_m_NAVD88,Z_ft_NAVD88'])('has a notice if it is not clear: %s', async (header) => {
    const { points, notices } = await surveyOf(geodetic(header, header.includes(',') ? '100,200' : '100'))
    expect(points[0]).toMatchObject({ h: null, altitude: null })
    expect(notices).toContainEqual(
      expect.objectContaining({ code: 'HEIGHTS_NOT_READ', message: expect.stringContaining('"Z_m_') }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const rows = [1, 2, 3].map((i) => `P${i},33.46${i},S,70.61${i},W\n`).join('')

describe('an angle without the letter of the hemisphere that other rows of its column have', () => {
  test.each([
    ['the header of the request', `${rows}P4,33.48,,70.63,\n`, 'title,lat,lat_ref,lon,lon_ref'],
    ["the file's header", `title,lat,lat_ref,lon,lon_ref\n${rows}P4,33.48,,70.63,\n`, undefined],
    ['words for directions', `title,lat,Lat Dir,lon,Lon Dir\n${rows}P4,33.48,,70.63,\n`, undefined],
    [
      'a header above letters in the cells',
      'title,lat,lon\nP1,33.461 S,70.611 W\nP2,33.462 S,70.612 W\nP3,33.463 S,70.613 W\nP4,33.48,70.63\n',
      undefined,
    ],
  ])('fails under %s', async (_, text, header) => {
    const { points, faulty } = await surveyOf(text, { header })
    expect(points.map(({ latitude }) => latitude)).toEqual([-33.461, -33.462, -33.463])
    expect(faulty.map(({ title }) => title)).toEqual(['P4'])
    expect(faulty[0]!.faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/latitude "33.48" has no letter.*write N or S/),
      expect.stringMatching(/longitude "70.63" has no letter.*write E or W/),
    ])
  })

  test('is read with a minus sign', async () => {
    const { points, faulty, warnings } = await surveyOf(
      `title,lat,lon\n${rows.replace(/,([SW])/g, ' $1')}P4,-33.48,-70.63\n`,
    )
    expect([faulty, warnings]).toEqual([[], []])
    expect(points[3]).toMatchObject({ latitude: -33.48, longitude: -70.63 })
  })

  test('has a warning if few rows have letters', async () => {
    const { points, warnings } = await surveyOf('name,lat,Hemisphere,lon\nA,33.4,S,-70.6\nB,33.5,,-70.6\n')
    expect(points).toMatchObject([{ latitude: -33.4 }, { latitude: 33.5 }])
    expect(warnings).toMatchObject([{ line: 3, code: 'ANGLES_ASSUMED', message: expect.stringContaining('read as N') }])
  })
})

describe('a column of hemispheres', () => {
  test.each([
    'Punto;Latitud;Hemisferio;Longitud;Hemisferio\nA;33,4612;Sur;70,6123;Oeste\n',
    'point,lat,lat_ref,lon,lon_ref\nA,33.4612,SUL,70.6123,Oeste\n',
    'Punkt;Breite;N/S;Länge;O/W\nA;33,4612;Süd;70,6123;West\n',
  ])('has words of other languages: %s', async (text) => {
    expect((await surveyOf(text)).points).toMatchObject([{ latitude: -33.4612, longitude: -70.6123 }])
  })

  test('fails the row whose cell is no hemisphere', async () => {
    const { points, faulty } = await surveyOf(`title,lat,lat_ref,lon,lon_ref\n${rows}P4,33.48,X,70.63,W\n`)
    expect(points).toHaveLength(3)
    expect(faulty[0]!.faults).toMatchObject([{ column: 'lat_ref', value: 'X', code: 'NOT_A_NUMBER' }])
  })

  test('fails rows with a minus sign alone in place of a letter', async () => {
    const { points, faulty } = await surveyOf('title,lat,N/S,lon,E/W\nP1,33.46,-,70.61,-\nP2,33.47,S,70.62,W\n')
    expect([points.length, faulty.map(({ faults }) => faults[0]!.column)]).toEqual([1, ['N/S']])
  })

  test('fails rows with signs in place of letters, and does not take numbers of satellites for them', async () => {
    const { points, faulty } = await surveyOf('title,lat,N/S,lon,E/W\nP1,33.46,-1,70.61,-1\nP2,33.47,1,70.62,-1\n')
    expect([points, faulty.map(({ faults }) => faults[0]!.column)]).toEqual([[], ['N/S', 'N/S']])
    expect((await surveyOf('title,lat,lon,ns\nP1,33.46,70.61,12\n')).points).toHaveLength(1)
  })
})

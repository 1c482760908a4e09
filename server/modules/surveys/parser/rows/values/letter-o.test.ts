import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const longitudesOf = async (text: string) => (await surveyOf(text)).points.map(({ longitude }) => longitude)
const row = (longitude: string, title = 'A') => `${title};52°31'12"N;${longitude}\n`

describe('the letter O beside an angle', () => {
  test.each(['Punkt;Breite;Länge', 'Punkt;Lat;Lon', 'Punt;Breedte;Lengte', 'Name;Breitengrad;Längengrad'])(
    'is east under %s',
    async (header) => {
      expect(await longitudesOf(`${header}\n${row(`13°24'18"O`)}`)).toEqual([expect.closeTo(13.405, 9)])
    },
  )

  test.each([
    'Nom;Latitude;Longitude',
    'Nombre;Latitud;Longitud',
    'Punto;Latitudine;Longitudine',
    'Name;Lat;Lon (Ouest)',
  ])('is west under %s', async (header) => {
    expect(await longitudesOf(`${header}\n${row(`3°24'18"O`)}`)).toEqual([expect.closeTo(-3.405, 9)])
  })

  test.each([
    `Name;Lat;Lon\n${row(`13°24'18"O`)}`,
    `Name;Lat;Lon\n${row(`O 13°24'18"`)}`,
    `Name;Lat;Lon (O)\n${row(`13°24'18"`)}`,
    `Name;Lat;NS;Lon;EW\nA;52.52;N;13.405;O\n`,
    `Punkt;Latitud;Longitud\n${row(`13°24'18"O`)}`,
    row(`13°24'18"O`),
  ])('fails where the headers do not say its language: %s', async (text) => {
    const { points, faulty } = await surveyOf(text)
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/letter O, which is east in German.*write E or W/) }),
    ])
  })

  test('does not concern a longitude with W or E', async () => {
    expect(await longitudesOf(`Name;Lat;Lon\n${row(`13°24'18"E`)}${row(`13°24'18"W`, 'B')}`)).toEqual([
      expect.closeTo(13.405, 9),
      expect.closeTo(-13.405, 9),
    ])
  })
})

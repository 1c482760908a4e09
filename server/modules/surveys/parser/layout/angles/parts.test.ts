import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

const berlin = { latitude: expect.closeTo(52.52000666667, 9), longitude: expect.closeTo(13.40495388889, 9) }

test.each([
  'Punkt;Breite Grad;Breite Min;Breite Sek;Länge Grad;Länge Min;Länge Sek',
  'Punkt;Breite (Grad);Breite (Minuten);Breite (Sekunden);Länge (Grad);Länge (Minuten);Länge (Sekunden)',
  'Punto;Latitud Grados;Minutos;Segundos;Longitud Grados;Minutos;Segundos',
  'Nom;Latitude degrés;minutes;secondes;Longitude degrés;minutes;secondes',
  'Имя;Широта град;мин;сек;Долгота град;мин;сек',
  '点名;緯度 度;分;秒;経度 度;分;秒',
  'name;lat deg;lat min;foo;lon deg;lon min;bar',
])('degrees, minutes and seconds in columns are read whole: %s', async (header) => {
  const { points, faulty } = await surveyOf(`${header}\nA;52;31;12,024;13;24;17,834\nB;52;31;12,024;13;24;17,834\n`)
  expect(faulty).toEqual([])
  expect(points).toMatchObject([berlin, berlin])
})

test('heights beside minutes with a fraction are no seconds', async () => {
  const { points } = await surveyOf('name,lat deg,lat min,lon deg,lon min,h\nA,52,31.2004,13,24.2972,34.2\n')
  expect(points).toMatchObject([{ latitude: expect.closeTo(52.52000666667, 9), h: 34.2 }])
})

test('a height in metres beside whole minutes is a height', async () => {
  const { points } = await surveyOf('name,lat (deg),lat (min),lon (deg),lon (min),h (m)\nA,52,31,13,24,34.2\n')
  expect(points).toMatchObject([{ latitude: expect.closeTo(52 + 31 / 60, 9), h: 34.2 }])
})

test('a column beside one of the angles alone is no seconds', async () => {
  const { points } = await surveyOf('name,lat deg,lat min,lon deg,lon min,fix\nA,52,31,13,24,4\n')
  expect(points).toMatchObject([{ latitude: expect.closeTo(52 + 31 / 60, 9), longitude: expect.closeTo(13.4, 9) }])
})

test.each([
  ['fix', 'fix'],
  ['sat', 'sat'],
  ['obs 1', 'obs 2'],
])('whole numbers beside whole minutes are no seconds, with a notice: %s', async (one, two) => {
  const text = `name,lat,min,${one},lon,min,${two}\nA,52,31,4,13,24,4\nB,52,32,5,13,25,5\n`
  const { points, notices } = await surveyOf(text)
  expect(points).toMatchObject([{ latitude: expect.closeTo(52 + 31 / 60, 9), longitude: expect.closeTo(13.4, 9) }, {}])
  expect(notices).toContainEqual({
    kind: 'notice',
    code: 'COLUMNS_ASSUMED',
    message: expect.stringMatching(new RegExp(`"${one}".* were not read as their seconds.*the word sec`)),
  })
})

test('the header of the request settles what is beside minutes', async () => {
  const text = 'name,lat,min,x,lon,min,y\nA,52,31,4,13,24,4\n'
  const words = (word: string) => ({ header: `name,lat,min,${word},lon,min,${word}` })
  const [seconds, none] = [await surveyOf(text, words('sec')), await surveyOf(text, words(''))]
  expect(seconds.points).toMatchObject([{ latitude: expect.closeTo(52 + 31 / 60 + 4 / 3600, 9) }])
  expect(none.points).toMatchObject([{ latitude: expect.closeTo(52 + 31 / 60, 9) }])
  expect([...seconds.notices, ...none.notices]).toEqual([])
})

test('fractions beside whole minutes are seconds under any word, with a notice', async () => {
  const { notices } = await surveyOf('name,lat deg,lat min,u,lon deg,lon min,v\nA,52,31,12.024,13,24,17\n')
  expect(notices).toMatchObject([{ code: 'COLUMNS_ASSUMED', message: expect.stringContaining('"u" and "v" beside') }])
})

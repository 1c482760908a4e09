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

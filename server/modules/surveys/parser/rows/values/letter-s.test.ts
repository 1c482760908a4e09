import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

test.each([
  `Číslo bodu;Zeměpisná šířka;Zeměpisná délka\n1;50°05'15"S;14°25'30"\n`,
  'Číslo bodu;lat;NS;lon\n1;50,0875;S;14,425\n',
  'Točka;lat;lon\n1;45,8 S;15,97\n',
  'Názov;šírka;dĺžka;výška\n1;S 48,15;17,1;150\n',
  'Bod;Šířka S;Délka E\n1;50,0875;14,425\n',
  'Bod;Zeměpisná šířka S;Zeměpisná délka\n1;50,0875;14,425\n',
  'Bod;Zeměpisná šířka (S);Zeměpisná délka\n1;50,0875;14,425\n',
  'id;lat;lon;Nadmořská výška\n1;50,0875 S;14,425;200\n',
  'Jméno;lat;lon\n1;50,0875 S;14,425\n',
  'Ime;lat;lon;Nadmorska višina\n1;46,05 S;14,5;300\n',
  'Číslo bodu;latlon;výška\n1;50.0875 S, 14.425 E;200\n',
])('S beside a latitude fails under headers in whose language it may be the north: %s', async (text) => {
  const { points, faulty } = await surveyOf(text)
  expect(points).toEqual([])
  expect(faulty[0]!.faults).toMatchObject([
    { code: 'NOT_A_NUMBER', message: expect.stringMatching(/letter S, which is north in Czech.*write N/) },
  ])
})

test.each(['Nazwa;Szerokość N;Długość W\n1;52,2;21,0\n', 'Nazwa;Szerokość;Długość\n1;52,2;21,0 W\n'])(
  'W beside a longitude fails under Polish headers: %s',
  async (text) => {
    const { points, faulty } = await surveyOf(text)
    expect(points).toEqual([])
    expect(faulty[0]!.faults).toMatchObject([{ message: expect.stringContaining('letter W, which is east in Polish') }])
  },
)

test.each([
  'name,latitude,lat s,longitude,lon s,h\nA,52.5,0.012,13.4,0.015,34\nB,,0.012,,0.015,34\n',
  'name,lat,lat s,lon,lon s\nA,52.5,0.012,13.4,0.015\n',
])('lat s beside a latitude is no latitude: %s', async (text) => {
  expect((await surveyOf(text)).points).toMatchObject([{ title: 'A', latitude: 52.5, longitude: 13.4 }])
})

test.each([...['Severity', 'Several', 'BOD', 'Water Body', 'Body', 'Bod', 'opis', 'popis', 'Meno', 'IME', 'Bodum']])(
  'a column of another language or of notes says nothing about S: %s',
  async (name) => {
    const text = `Point;lat;lon;${name}\n1;33,4489 S;70,6693 W;x\n`
    expect((await surveyOf(text)).points).toMatchObject([{ latitude: -33.4489, longitude: -70.6693 }])
  },
)

test.each(['opis', 'Númer', 'numer', 'Uwagi', 'Namen', 'Nazwisko', 'Širina'])(
  'a column of another language or of notes says nothing about W: %s',
  async (name) => {
    const text = `Point;lat;lon;${name}\n1;64,1466;21,9426 W;x\n`
    expect((await surveyOf(text)).points).toMatchObject([{ longitude: -21.9426 }])
  },
)

test.each(['Point;lat;lon\n1;50,0875 S;14,425\n', 'Číslo bodu;lat;lon\n1;-50,0875;14,425\n'])(
  'S under other headers, and a minus sign, are the south: %s',
  async (text) => {
    expect((await surveyOf(text)).points).toMatchObject([{ latitude: -50.0875 }])
  },
)

test.each([
  ['name,lat N,lon W', 37.7749, -122.4194],
  ['name,Lat S,Lon E', -37.7749, 122.4194],
  ['name,Latitude N,Longitude (W)', 37.7749, -122.4194],
])('the letter behind a word of the header is the hemisphere: %s', async (header, latitude, longitude) => {
  expect((await surveyOf(`${header}\nA,37.7749,122.4194\n`)).points).toMatchObject([{ latitude, longitude }])
})

test('lat s beside lat d and lat m are seconds', async () => {
  const { points } = await surveyOf('name,lat d,lat m,lat s,lon d,lon m,lon s\nA,52,31,12,13,24,18\n')
  expect(points).toMatchObject([{ latitude: expect.closeTo(52.52, 9), longitude: expect.closeTo(13.405, 9) }])
})

test.each(['Lat_S;Lon_W', 'lat_s;lon_w', 'Lat S;Lon W'])(
  'letters in headers are the hemisphere: %s',
  async (header) => {
    const text = `Point;${header}\n1;33.4489;70.6693\n`
    expect((await surveyOf(text)).points).toMatchObject([{ latitude: -33.4489, longitude: -70.6693 }])
  },
)

import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

test.each([
  ['Naziv;E;N;H;Dužina;Širina', '459776.15;5073072.9;120;12.5;3.2', 'EPSG:3765'],
  ['Ime;Y;X;Dolžina;Širina', '459776.15;101072.9;12;3', 'EPSG:3794'],
  ['Bod;Y;X;Z;Šírka;Dĺžka', '573100.5;1283200.5;120;1.20;3.40', 'EPSG:5514'],
  ['Nr;Rechtswert;Hochwert;Höhe;Breite;Länge', '391776.15;5820072.9;34;1.20;3.40', 'EPSG:25833'],
  ['Naziv;E;N;H;Dužina;Širina', '459776.15;5073072.9;120;12 m;3 m', 'EPSG:3765'],
  ['Naziv;E;N;H;Dužina;Širina', '459776.15;5073072.9;120;lang;breit', 'EPSG:3765'],
])(
  'a width and a length beside coordinates of a known grid are not read, with a notice: %s, %s',
  async (header, row, crs) => {
    const { points, faulty, notices } = await surveyOf(`${header}\nA;${row}\n`, { crs })
    expect(faulty).toEqual([])
    expect(points).toHaveLength(1)
    expect(points[0]!.latitude).toBeGreaterThan(45)
    expect(notices.find(({ code }) => code === 'COLUMNS_ASSUMED')!.message).toContain('a width and a length')
  },
)

test('rows without a width and a length, and with some, are read by their grid', async () => {
  const rows = 'A,459776.15,5073072.9,120,12.5,3.2\nB,459786.15,5073082.9,120,,\nC,459786.15,5073092.9,120,2 m,-\n'
  const { points } = await surveyOf(`Name,E,N,H,Dužina,Širina\n${rows}`, { crs: 'EPSG:3765' })
  expect(points.map(({ title }) => title)).toEqual(['A', 'B', 'C'])
})

test('latitudes and longitudes with decimals that contradict the grid refuse the file', async () => {
  const text = 'Nr;Rechtswert;Hochwert;Breite;Länge\nA;391776.15;5820072.9;52.516274;7.405112\n'
  await expect(surveyOf(text, { crs: 'EPSG:25833' })).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
  })
})

test('latitudes and longitudes of the points beside their grid are read', async () => {
  const text = 'Nr;Rechtswert;Hochwert;Breite;Länge\nA;391776.15;5820072.9;52.52;13.40\n'
  const { detected } = await surveyOf(text, { crs: 'EPSG:25833' })
  expect(detected.columns).toMatchObject({ latitude: 'Breite', longitude: 'Länge' })
})

test('a width and a length beside a grid of an unknown system need the system', async () => {
  const text = 'Naziv,E,N,H,Dužina,Širina\nA,459776.15,5073072.9,120,12 m,3 m\n'
  await expect(surveyOf(text)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
})

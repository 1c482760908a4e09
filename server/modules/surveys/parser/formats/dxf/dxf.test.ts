import { expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

/** Group codes and values, each on a line. */
const groups = (...pairs: (string | number)[]) => `${pairs.join('\n')}\n`
const at = (x: number, y: number, z: number) => [10, x, 20, y, 30, z]
const tag = (handle: string, name: string, value: string) =>
  groups(0, 'ATTRIB', 5, handle, 8, 'MARKS', ...at(0, 0, 0), 40, 1, 1, value, 2, name, 70, 0)
const insert = (handle: string, x: number, name: string) =>
  groups(0, 'INSERT', 5, handle, 8, 'MARKS', 66, 1, 2, 'MARK', ...at(x, 5796070.5, 35)) +
  tag(`${handle}1`, 'NAME', name) +
  tag(`${handle}2`, 'HOEHE', '40.25') +
  groups(0, 'SEQEND', 5, `${handle}3`, 8, 'MARKS')
const block =
  groups(0, 'SECTION', 2, 'BLOCKS', 0, 'BLOCK', 8, 0, 2, 'MARK', 70, 2, ...at(0, 0, 0), 3, 'MARK') +
  groups(0, 'LINE', 8, 0, ...at(-1, 0, 0), 11, 1, 21, 0, 0, 'ENDBLK', 8, 0, 0, 'ENDSEC')
const point = groups(0, 'POINT', 5, 'A1', 8, 'GCP', ...at(372042.97362072783, 5796064.122161366, 34.125))
const text = groups(0, 'TEXT', 5, 'F1', 8, 'LABELS', ...at(372044, 5796064, 0), 40, 1, 1, 'GCP 7')
const line = groups(0, 'LINE', 5, 'F2', 8, 'WALL', ...at(372044, 5796064, 0), 11, 372045, 21, 5796065)
const drawing = (entities: string, before = '') =>
  `${before}${groups(0, 'SECTION', 2, 'HEADER', 9, '$ACADVER', 1, 'AC1015', 0, 'ENDSEC')}${block}${groups(0, 'SECTION', 2, 'ENTITIES')}${entities}${groups(0, 'ENDSEC', 0, 'EOF')}`
const crs = 'EPSG:25833'

test('reads points and inserted blocks as points with their block attributes; texts and lines are failed rows', {
  tags: ['long'],
}, async () => {
  const file = drawing(point + insert('B0', 372050, 'P,1') + text + line, groups(999, 'made by hand'))
  const { detected, points, faulty } = await surveyOf(file, { crs })
  expect(detected).toMatchObject({
    format: 'dxf',
    crs,
    layer: null,
    columns: { title: 'NAME', z: 'z', description: 'Layer' },
  })
  expect(points).toMatchObject([
    { title: 'A1', description: 'GCP', altitude: 34.125 },
    { title: 'P,1', description: 'MARKS', altitude: 35 },
  ])
  expect(points[0]!.latitude).toBeCloseTo(52.3, 9)
  expect(faulty.map(({ row, faults }) => [row, faults[0]!.code, faults[0]!.value])).toEqual([
    [3, 'NOT_A_POINT', 'text'],
    [4, 'NOT_A_POINT', 'LineString'],
  ])
})

test('names points without a name by their handles, also with Windows line ends', async () => {
  const { points } = await surveyOf(drawing(point).replaceAll('\n', '\r\n'), { crs })
  expect(points.map(({ title }) => title)).toEqual(['A1'])
})

test('reads a reference system that a comment at the beginning names, as in exports of this service', async () => {
  const { detected, points } = await surveyOf(drawing(point, groups(999, 'Park', 999, crs, 999, '1 point')))
  expect(detected).toMatchObject({ format: 'dxf', crs })
  expect(points[0]!.latitude).toBeCloseTo(52.3, 9)
})

test('requires a reference system, because a drawing has none', async () => {
  await expect(surveyOf(drawing(point + insert('B0', 372050, 'P')))).rejects.toMatchObject({
    code: 'UNKNOWN_CRS',
    message: expect.stringContaining('import with crs='),
  })
})

test('refuses a truncated drawing', async () => {
  await expect(surveyOf(drawing(point.repeat(50)).slice(0, 700), { crs })).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
  })
})

test.each([
  ['X', groups(0, 'POINT', 8, 'GCP', 10, '372042,974', 20, '5796064.122', 30, '34.1')],
  ['Z', groups(0, 'INSERT', 8, 'GCP', 2, 'MARK', 10, '372042.974', 20, '5796064.122', 30, '34,1')],
])('refuses a point whose %s is not a decimal number, and names its line', async (axis, entity) => {
  const file = drawing(text + entity)
  const value = axis === 'X' ? '372042,974' : '34,1'
  const line = file.split('\n').indexOf(value) + 1
  await expect(surveyOf(file, { crs })).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    message: expect.stringContaining(`line ${line}: ${axis} "${value}"`),
  })
})

test('reads a drawing with commas in texts and layers', async () => {
  const file = drawing(groups(0, 'POINT', 5, 'A1', 8, '1,5', ...at(372042.974, 5796064.122, 34.125)) + text)
  expect((await surveyOf(file, { crs })).points).toMatchObject([{ title: 'A1', description: '1,5', altitude: 34.125 }])
})

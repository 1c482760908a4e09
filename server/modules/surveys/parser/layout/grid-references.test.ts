import { expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

test.each([
  'square,easting,northing,h\nTQ,30123,80456,12\nTQ,30124,80457,12\n',
  'name,grid ref,easting,northing\nA,TQ,30123.5,80456.5\nB,TQ,30124,80457\n',
  'name,grid ref,easting,northing\nA,tq,30123,80456\n',
  'name,grid ref,easting,northing\nA,TQ,530123,180456\nB,TQ,30124,80457\n',
  'name,Grid letter,easting,northing\nA,O,15904,34671\nB,O,15905,34671\n',
])('refuses eastings and northings inside squares of a national grid, which would be far off: %s', async (text) => {
  await expect(surveyOf(text, { crs: 'EPSG:27700' })).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.stringContaining('name squares of a grid and are not read'),
  })
})

test('says how to read whole coordinates after codes that look like squares', async () => {
  const rows = '1,TP,30230,20456,100\n2,TP,30231,20456,100\n'
  await expect(surveyOf(rows, { crs: 'EPSG:27700' })).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.stringContaining('if "TP" is a code and no square, name the columns in a header line'),
  })
  const { points } = await surveyOf(rows, { crs: 'EPSG:27700', header: 'title,code,easting,northing,z' })
  expect(points).toMatchObject([{ title: '1', description: 'TP', altitude: 100 }, { title: '2' }])
})

test.each([
  ['EPSG:6677', 'name,map,easting,northing\nA,B,30123.5,80456.5\n'],
  ['EPSG:25833', 'prefix,name,easting,northing\nT,1,391776.5,58200.5\n'],
])('takes letters for codes in a system without such squares: crs=%s', async (crs, text) => {
  const { points, faulty } = await surveyOf(text, { crs })
  expect(points.length + faulty.length).toBe(1)
})

test('says how to read letters that are no squares', async () => {
  const text = 'prefix,name,easting,northing\nT,1,5012.5,1045.5\n'
  await expect(surveyOf(text, { crs: 'EPSG:27700' })).rejects.toMatchObject({
    message: expect.stringContaining('if "prefix" is no square, give another word for it in header='),
  })
})

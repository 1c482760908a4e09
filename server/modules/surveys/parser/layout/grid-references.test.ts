import { expect, test } from 'vitest'
import { surveyOf } from '../../../../test/surveying/survey.ts'

test.each([
  'square,easting,northing,h\nTQ,30123,80456,12\nTQ,30124,80457,12\n',
  'name,grid ref,easting,northing\nA,TQ,30123.5,80456.5\nB,TQ,30124,80457\n',
  'name,Grid letter,easting,northing\nA,O,15904,34671\nB,O,15905,34671\n',
])('refuses eastings and northings inside squares of a national grid, which would be far off: %s', async (text) => {
  await expect(surveyOf(text, { crs: 'EPSG:27700' })).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.stringContaining('name squares of a grid and are not read'),
  })
})

test('says how to read whole coordinates after codes that look like squares', async () => {
  const rows = '1,TP,430230,20456,100\n2,TP,430231,20456,100\n'.replaceAll('430', '30')
  await expect(surveyOf(rows, { crs: 'EPSG:27700' })).rejects.toMatchObject({
    code: 'AMBIGUOUS_COLUMNS',
    message: expect.stringContaining('if "TP" is a code and no square, name the columns in a header line'),
  })
  const { points } = await surveyOf(rows, { crs: 'EPSG:27700', header: 'title,code,easting,northing,z' })
  expect(points).toMatchObject([{ title: '1', description: 'TP', altitude: 100 }, { title: '2' }])
})

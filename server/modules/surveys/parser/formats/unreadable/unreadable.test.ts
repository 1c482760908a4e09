import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

describe('formats without readable points', () => {
  test.each([
    ['     3.04           OBSERVATION DATA    M (MIXED)           RINEX VERSION / TYPE\n', /RINEX.*RTKLIB \.pos/],
    ['00NMSC V10-70       04-May-24 12:00 111111\n08KI 1 2 3\n', /Trimble DC.*JobXML/],
    ['CO,Nikon RAW data format V2.00\nCO,A\n', /Nikon RAW.*SDR33/],
    ['G00,01,park,\r\nZ00,points,\r\nA00,\r\nA01,1,T-1,-35123.456,-8123.789,12.5,\r\n', /SIMA.*CSV/],
    ['G00,01,park,\r\nZ00,\u008d\u00c0\u0095W,\r\nA01,1,T-1,-35123.456,-8123.789,12.5,\r\n', /SIMA.*CSV/],
    ['G00,01,park,\nA00,\nA01,1,T-1,-35123.456,-8123.789,12.5,\n', /SIMA.*CSV/],
    ['AC1027\0\0\0', /DWG.*DXF/],
    [`\0\0'\n${'\0'.repeat(24)}`, /Shapefile alone.*ZIP file with the .dbf and .prj/],
    ['LASF\0\0', /point cloud.*scan/],
    ['<!DOCTYPE html><html><body>Sign in</body></html>', /web page.*download the file itself/],
    ['\u00b5b\x01\x07', /u-blox.*NMEA/],
    ['#dP2024  5  4  0  0  0.0      96 ORBIT IGS20\n', /SP3/],
  ])('refuses %j and says what to export instead', async (text, message) => {
    await expect(surveyOf(Buffer.from(text, 'latin1'))).rejects.toMatchObject({
      code: 'NOT_A_TABLE',
      message: expect.stringMatching(message),
    })
  })

  test.each([
    'G01,391776.15,5820072.96,34.2\nG02,391777.15,5820072.96,34.2\nA01,391778.15,5820072.96,34.2\n',
    'G00,391776.15,5820072.96,34.2\nZ00,391777.15,5820072.96,34.2\nA00,391778.15,5820072.96,34.2\n',
  ])('reads a list whose titles look like records of SIMA: %s', async (text) => {
    expect((await surveyOf(text, { crs: 'EPSG:25833' })).points).toHaveLength(3)
  })
})

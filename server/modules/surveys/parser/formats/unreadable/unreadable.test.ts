import { describe, expect, test } from 'vitest'
import { archiveOf } from '../../../../../test/content/archives.ts'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

/** A dBASE table with one field, written on 4 May 2024. */
const dbf = `\x03\x7c\x05\x04\x01\0\0\0\x41\0\x0b\0${'\0'.repeat(20)}NAME${'\0'.repeat(7)}C${'\0'.repeat(4)}\n${'\0'.repeat(15)}\r A         `

describe('formats without readable points', () => {
  test.each([
    ['     3.04           OBSERVATION DATA    M (MIXED)           RINEX VERSION / TYPE\n', /RINEX.*RTKLIB \.pos/],
    ['00NMSC V10-70       04-May-24 12:00 111111\n08KI 1 2 3\n', /Trimble DC.*JobXML/],
    ['CO,Nikon RAW data format V2.00\nCO,A\n', /Nikon RAW.*SDR33/],
    ['AC1027\0\0\0', /DWG.*DXF/],
    [`\0\0'\n${'\0'.repeat(24)}`, /.shp of a Shapefile alone.*ZIP file with the .shp, .shx, .dbf and .prj/],
    [
      `\0\0'\n${'\0'.repeat(20)}${'x'.repeat(76)}\0\0\x002\0\0\0\n`,
      /.shx of a Shapefile alone.*ZIP file with the .shp/,
    ],
    [dbf, /.dbf of a Shapefile alone.*ZIP file with the .shp, .shx, .dbf and .prj/],
    ['GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"]]', /.prj of a Shapefile alone.*ZIP file with the .shp/],
    ['Version 300\nCharset "Neutral"\nDelimiter ","\n', /MapInfo.*GeoPackage or Shapefile/],
    ['!table\r\n!version 300\r\n!charset Neutral\r\n', /MapInfo table.*GeoPackage or Shapefile/],
    ['%=SNX 2.02 AUS 24:122:00000\n', /SINEX.*crs=EPSG:4978/],
    ['FILE: x.24o OP171\n\n        NGS OPUS SOLUTION REPORT\n LAT:  40 0 0\n', /report of OPUS.*title,lat,lon,h/],
    ['1        National Geodetic Survey,   Retrieval Date = MAY  1, 2024\n', /datasheet of the NGS.*Shapefile/],
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
    '# processed with NGS OPUS\nname,lat,lon,h\nA,52.5,13.4,34\n',
    'name,lat,lon,h,note\nA,52.5,13.4,34,NGS OPUS SOLUTION REPORT\n',
  ])('reads a table that mentions OPUS: %j', async (text) => {
    expect((await surveyOf(text)).points).toMatchObject([{ title: 'A', latitude: 52.5 }])
  })

  test.each([
    [['a.dbf', 'a.prj'], '"a.dbf" of a Shapefile, but no .shp'],
    [['a.tab', 'a.map', 'a.dat', 'a.id'], 'MapInfo table: save it as GeoPackage'],
    [['a.mif', 'a.mid'], 'MapInfo table: save it as GeoPackage'],
  ])('refuses a ZIP file with %s alone', async (names, message) => {
    const archive = await archiveOf(Object.fromEntries(names.map((name) => [name, Buffer.from('x')])))
    await expect(surveyOf(archive)).rejects.toMatchObject({
      code: 'NOT_A_TABLE',
      message: expect.stringContaining(message),
    })
  })
})

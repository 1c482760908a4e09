import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyFile, surveyOf } from '../../../../../test/surveying/survey.ts'

const text = 'title,lat,lon\nÖst €,59.5,18.25\nÅs 😀,59.6,18.5\n'
const titles = ['Öst €', 'Ås 😀']
const utf16be = (content: string) => Buffer.from(`\uFEFF${content}`, 'utf16le').swap16()

describe('encodings', () => {
  test('reads UTF-8 with or without a byte order mark and UTF-16 of both orders alike, in chunks of any size', async () => {
    const forms = {
      'utf-8': Buffer.from(text),
      'utf-8-bom': Buffer.from(`\uFEFF${text}`),
      'utf-16le': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      'utf-16be': utf16be(text),
    }
    for (const [encoding, bytes] of Object.entries(forms)) {
      for (const pieceSize of [1, 2, 3, 5, 1000]) {
        const { detected, points } = await surveyOf(bytes, {}, pieceSize)
        expect(detected.encoding).toBe(encoding)
        expect(points.map(({ title }) => title)).toEqual(titles)
      }
    }
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      expect((await surveyOf(bytes)).points.map(({ title }) => title)).toEqual(titles)
    const Czech = 'Číslo bodu;lat;lon\nč1;59,5;18,25\n'
    for (const bytes of [Buffer.from(Czech, 'utf16le'), Buffer.from(Czech, 'utf16le').swap16()])
      expect((await surveyOf(bytes)).points).toMatchObject([{ title: 'č1', latitude: 59.5 }])
    expect((await surveyFile('utf16le_bom.csv')).points).toMatchObject([{ title: 'Öst', latitude: 59.3293 }])
  })

  test('reads invalid UTF-8 as windows-1252, with a warning, at any position in the file', async () => {
    const head = 'title,lat,lon\n'
    const ascii = Array.from({ length: 3000 }, (_, i) => `P${i},1.5,2.5\n`).join('')
    for (const before of ['', ascii]) {
      const bytes = Buffer.concat([
        Buffer.from(head + before),
        Buffer.from([0xd6, 0x73, 0x74, 0x80]),
        Buffer.from(',59.5,18.25\n'),
      ])
      for (const pieceSize of [1, 1024]) {
        const { points, notices } = await surveyOf(bytes, {}, pieceSize)
        expect(points.at(-1)!.title).toBe('Öst€')
        expect(notices.map(({ code }) => code)).toContain('ENCODING_FALLBACK')
      }
    }
  })

  test.each([
    ['windows-1250', 'c869736c6f20626f6475', 'e8', 'č'],
    ['windows-1251', 'cde0e7e2e0ede8e5', 'c6', 'Ж'],
    ['windows-1253', 'd3e7ece5dfef', 'c6', 'Ζ'],
    ['shift_jis', '935f96bc', '88ea', '一'],
    ['gb18030', 'b5e3c3fb', 'd2bb', '一'],
  ])('reads %s if the header has a word only in it, and names it in a notice', async (page, name, title, expected) => {
    const hex = (text: string) => Buffer.from(text, 'hex')
    const bytes = Buffer.concat([hex(name), Buffer.from(';lat;lon\n'), hex(title), Buffer.from('1;59.5;18.25\n')])
    for (const pieceSize of [1, 1000]) {
      const { points, notices, detected } = await surveyOf(bytes, {}, pieceSize)
      expect(points).toMatchObject([{ title: `${expected}1`, latitude: 59.5 }])
      expect(detected.encoding).toBe(page)
      expect(notices).toContainEqual(
        expect.objectContaining({ code: 'ENCODING_FALLBACK', message: expect.stringContaining(`read as ${page}`) }),
      )
    }
  })

  test('reads a file in a code page from its first byte, also if some of its bytes are valid UTF-8', async () => {
    const gb = Buffer.from('49442cceb3b6c82cbeadb6c80ad2bb2c35322e352c31332e340a', 'hex') // ID,纬度,经度 / 一,52.5,13.4
    const chinese = await surveyOf(gb)
    expect(chinese.detected).toMatchObject({ encoding: 'gb18030', columns: { latitude: '纬度', longitude: '经度' } })
    expect(chinese.points).toMatchObject([{ title: '一', latitude: 52.5, longitude: 13.4 }])
    const header = Buffer.from('4e3b6c61743b6c6f6e3bc2b3e4ecb3f2eae00a', 'hex') // N;lat;lon;Відмітка
    const ukrainian = await surveyOf(Buffer.concat([header, Buffer.from('1;52.5;13.4;34.2\n')]))
    expect(ukrainian.points).toMatchObject([{ altitude: 34.2 }])
  })

  test('keeps a header in UTF-8 above rows in a code page', async () => {
    const rows = Buffer.concat([Buffer.from('Höhe;Breite;Länge;Name\n34.2;52.5;13.4;'), Buffer.from([0xd6, 0x0a])])
    expect((await surveyOf(rows)).points).toMatchObject([{ title: 'Ö', altitude: 34.2, longitude: 13.4 }])
  })

  test('reads text of any script as UTF-8 in chunks of any size', { tags: ['long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (raw, pieceSize) => {
          const title = `x${raw.replace(/[\0\r"\uD800-\uDFFF]/gu, '')}x`
          const { points, notices } = await surveyOf(`title,lat,lon\n"${title}",1.5,2.5\n`, {}, pieceSize)
          expect(points[0]!.title).toBe(title)
          expect(notices).toEqual([])
        },
      ),
    )
  })

  test('reads XML and JSON in UTF-16, and XML in the encoding that it declares', async () => {
    const wpt = '<wpt lat="59.5" lon="18.25"><name>Ж</name></wpt>'
    const gpx = `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${wpt}</gpx>`
    const json = '{"type":"Feature","properties":{"name":"Ж"},"geometry":{"type":"Point","coordinates":[18.25,59.5]}}'
    const landXml =
      '<LandXML><CoordinateSystem epsgCode="4326"/><CgPoints><CgPoint name="Ж">59.5 18.25</CgPoint></CgPoints></LandXML>'
    const declared = (encoding: string, xml: string) => `<?xml version="1.0" encoding="${encoding}"?>${xml}`
    const inCyrillic = (xml: string) => Buffer.from(declared('windows-1251', xml).replace('Ж', '\xc6'), 'latin1')
    const files = [
      utf16be(declared('UTF-16', gpx)),
      Buffer.from(json, 'utf16le'),
      // Some programs declare the encoding of their memory.
      Buffer.from(declared('utf-16', gpx)),
      inCyrillic(gpx),
      inCyrillic(landXml),
    ]
    for (const file of files)
      expect((await surveyOf(file, {}, 1000)).points).toMatchObject([{ title: 'Ж', latitude: 59.5, longitude: 18.25 }])
  })

  test('names old workbooks, PDFs and other binary files in the error', async () => {
    await expect(surveyOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]))).rejects.toMatchObject({
      code: 'NOT_TEXT',
      message: expect.stringContaining('save it as .xlsx'),
    })
    await expect(surveyOf(Buffer.from('%PDF-1.7'))).rejects.toMatchObject({ code: 'NOT_TEXT' })
    await expect(surveyOf(Buffer.alloc(9))).rejects.toMatchObject({
      message: expect.stringContaining('nothing but NUL'),
    })
    await expect(surveyOf(Buffer.from('a,b\0c\n1,2'))).rejects.toMatchObject({ code: 'NOT_TEXT' })
    await expect(surveyOf(Buffer.from('\uFEFFa,b\0c', 'utf16le'))).rejects.toMatchObject({ code: 'NOT_TEXT' })
  })
})

// @module-tag long
import fc from 'fast-check'
import geodesic from 'geographiclib-geodesic'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { measured, surveyOf } from '../../../../test/surveying/survey.ts'
import type { SurveyOptions } from '../read-survey.ts'

const { WGS84 } = geodesic.Geodesic
const toUtm = proj4('WGS84', '+proj=utm +zone=33 +datum=WGS84 +units=m').forward
const toCentre = proj4('WGS84', '+proj=geocent +datum=WGS84 +units=m').forward

type Mark = { title: string; latitude: number; longitude: number; h: number }

const mark = fc.record({
  title: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{1,8}$/),
  latitude: fc.double({ min: 47, max: 55, noNaN: true }),
  longitude: fc.double({ min: 12.1, max: 17.9, noNaN: true }),
  h: fc.double({ min: -100, max: 3000, noNaN: true }),
})
const marks = fc.uniqueArray(mark, { selector: ({ title }) => title.toLowerCase(), minLength: 2, maxLength: 20 })

const utm = ({ latitude, longitude }: Mark) => {
  const [east, north] = toUtm([longitude, latitude]) as [number, number]
  return { east: east.toFixed(4), north: north.toFixed(4) }
}
const comma = (text: string) => text.replace('.', ',')
const dms = (degrees: number, letter: string) => {
  const whole = Math.floor(degrees)
  const minutes = Math.floor((degrees - whole) * 60)
  const seconds = Math.min(59.999999, ((degrees - whole) * 60 - minutes) * 60)
  return `${whole}°${String(minutes).padStart(2, '0')}'${seconds.toFixed(6).padStart(9, '0')}"${letter}`
}
const grouped = (text: string, sign: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\..*)/g, sign)

const inPoland = (latitude: number, longitude: number) =>
  latitude > 46 && latitude < 56 && longitude > 11 && longitude < 19

/** Layouts that programs write: each must give the same points. */
const layouts: Record<string, [write: (all: Mark[]) => string, options?: SurveyOptions]> = {
  'gcp_list.txt': [
    (all) =>
      `EPSG:32633\n${all.map((m) => `${utm(m).east}\t${utm(m).north}\t${m.h.toFixed(3)}\t10.5\t20.5\ta.jpg\t${m.title}`).join('\n')}\n`,
  ],
  'PNEZD with the system named by the caller': [
    (all) => all.map((m) => `${m.title},${utm(m).north},${utm(m).east},${m.h.toFixed(3)},nail\n`).join(''),
    { crs: 'EPSG:32633' },
  ],
  'headerless degrees, settled by the zone': [
    (all) =>
      all.map((m) => `${m.title},${m.latitude.toFixed(9)},${m.longitude.toFixed(9)},${m.h.toFixed(3)}\n`).join(''),
    { inZone: inPoland },
  ],
  Metashape: [
    (all) =>
      `# EPSG:32633\n#Label,X/East,Y/North,Z/Altitude,Accuracy_(m)\n${all.map((m) => `${m.title},${utm(m).east},${utm(m).north},${m.h.toFixed(3)},0.01/0.02\n`).join('')}# Total,,,,\n`,
  ],
  'a German spreadsheet': [
    (all) =>
      `Messung vom 4. Mai;;;\nKoordinatensystem: WGS 84 / UTM zone 33N;;;\nPunktnummer;Rechtswert;Hochwert;Höhe (m)\n${all.map((m) => `${m.title};${comma(utm(m).east)};${comma(utm(m).north)};${comma(m.h.toFixed(3))}\n`).join('')};;;\n`,
  ],
  'grouped thousands': [
    (all) =>
      `WGS 84 / UTM zone 33N\nName;E;N;Z\n${all.map((m) => `${m.title};${grouped(utm(m).east, "'")};${grouped(utm(m).north, ' ')};${m.h.toFixed(3)}\n`).join('')}`,
  ],
  'degrees, minutes and seconds': [
    (all) =>
      `Name;Lat;Lon;h\n${all.map((m) => `${m.title};${dms(m.latitude, 'N')};${dms(m.longitude, 'E')};${m.h.toFixed(3)}\n`).join('')}`,
  ],
  WKT: [
    (all) =>
      `WKT,name\n${all.map((m) => `"POINT Z (${m.longitude.toFixed(9)} ${m.latitude.toFixed(9)} ${m.h.toFixed(3)})",${m.title}\n`).join('')}`,
  ],
  "x, y and z from the earth's centre": [
    (all) =>
      `name x y z\n${all.map((m) => `${m.title} ${(toCentre([m.longitude, m.latitude, m.h]) as number[]).map((v) => v.toFixed(4)).join(' ')}\n`).join('')}`,
  ],
  'US survey feet': [
    (all) =>
      `EPSG:32633\nname\teasting (ftUS)\tnorthing (ftUS)\televation (ftUS)\n${all.map((m) => [m.title, ...[utm(m).east, utm(m).north, m.h].map((v) => ((Number(v) * 3937) / 1200).toFixed(5))].join('\t')).join('\n')}\n`,
  ],
}

describe('points in layouts of programs', () => {
  test.each(Object.entries(layouts))('%s', async (_, [write, options]) => {
    await fc.assert(
      fc.asyncProperty(marks, fc.integer({ min: 16, max: 4096 }), async (all, pieceSize) => {
        const { points, faulty } = await surveyOf(write(all), options, pieceSize)
        expect(faulty).toEqual([])
        expect(points.map(({ title }) => title)).toEqual(all.map(({ title }) => title))
        for (const [i, { latitude, longitude, h }] of all.entries()) {
          expect(WGS84.Inverse(latitude, longitude, points[i]!.latitude, points[i]!.longitude).s12).toBeLessThan(0.001)
          expect(Math.abs(measured(points[i]!)! - h)).toBeLessThan(0.002)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('reads arbitrary bytes to the end: as points, as reported rows, or with an error message', async () => {
    const piece = fc.constantFrom(
      ...[
        'EPSG:25833',
        'WGS84',
        'Name',
        'lat',
        'lon',
        'N',
        'E',
        'X',
        'Y',
        'Z',
        'WKT',
        'POINT(1 2)',
        '52.5',
        '13,4',
        "52°31'",
        '#',
        '"',
        ';',
      ],
      ...[
        ',',
        '\t',
        ' ',
        '\n',
        '\r\n',
        '\ufeff',
        '',
        '(m)',
        'ft',
        '1.234.567,8',
        '-',
        '+proj=utm +zone=33',
        'PROJCS["',
        ']',
        '3780000',
        '\u0000',
      ],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 80 }), fc.option(fc.constant(inPoland)), async (pieces, inZone) => {
        try {
          const { points } = await surveyOf(pieces.join(''), inZone ? { inZone } : {})
          for (const { latitude, longitude } of points) {
            expect(Math.abs(latitude)).toBeLessThanOrEqual(90)
            expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
          }
        } catch (error) {
          expect(error).toHaveProperty('code', expect.stringMatching(/^[A-Z_]+$/))
          expect((error as Error).message).not.toMatch(/undefined|NaN|\[object/)
        }
      }),
      { numRuns: 1500 },
    )
  })
})

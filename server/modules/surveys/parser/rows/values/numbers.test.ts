import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surveyFile, surveyOf } from '../../../../../test/surveying/survey.ts'
import { readAngle } from './angles.ts'
import { decimalOf, readGrouped, readNumber } from './numbers.ts'

describe('numbers in cells', () => {
  test('reads a cell as a number only as a whole, in the decimal separator of the file', () => {
    for (const [cell, value] of [
      ['12.5', 12.5],
      ['-0.25', -0.25],
      ['+7', 7],
      ['1e3', 1000],
      [' 10.0* ', 10],
      ['−3.5', -3.5],
    ] as const) {
      expect(readNumber(cell, '.')).toBe(value)
    }
    for (const cell of [
      '12,5',
      '1.234,5',
      '1,234.5',
      '',
      'NaN',
      'Infinity',
      '1e999',
      '0x10',
      '12 5',
      '12.5m',
      '.',
      '1e',
    ]) {
      expect(readNumber(cell, '.')).toBeUndefined()
    }
    expect(readNumber('12,5', ',')).toBe(12.5)
    expect(readNumber('12.5', ',')).toBeUndefined()
    expect(readNumber('1.234,5', ',')).toBeUndefined()
  })

  test('accepts grouped thousands in lengths if they are unambiguous', () => {
    for (const cell of ["5'820'000.25", '5 820 000.25', '5\u00a0820\u202f000.25', '5,820,000.25', '5820000.25'])
      expect(readGrouped(cell, '.')).toBe(5820000.25)
    for (const cell of ['5.820.000,25', '5 820 000,25', "5'820'000,25", '5820000,25'])
      expect(readGrouped(cell, ',')).toBe(5820000.25)
    for (const cell of ['5.820.000,25', '58,20,000', '5 82', '1,2345', '5,820 000', "5'820,000"])
      expect(readGrouped(cell, '.')).toBeUndefined()
  })

  test('reads every finite number back as printed, with either separator', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(readNumber(String(value), '.')).toBe(value === 0 ? Number(String(value)) : value)
        expect(readNumber(String(value).replace('.', ','), ',')).toBe(value === 0 ? Number(String(value)) : value)
      }),
    )
  })

  test('detects the decimal separator that more numbers have', () => {
    expect(decimalOf(['52,5', '13,25', '7'])).toBe(',')
    expect(decimalOf(['52.5', '13.25', '7'])).toBe('.')
    expect(decimalOf(['5', '7'])).toBe('.')
    expect(decimalOf(['5.820.000,25', '390.123,10'])).toBe(',')
    expect(decimalOf(['5,820,000.25', '390,123'])).toBe('.')
    expect(decimalOf(['34,210', '34,870'])).toBe(',')
    expect(decimalOf(['5,820,000', '1,390,123', '390,123'])).toBe('.')
  })
})

describe('angles in cells', () => {
  test('reads degrees, minutes and seconds with a hemisphere', async () => {
    const written = [
      `46°12'30.5"N`,
      `46˚12′30.5″N`,
      `46 deg 12' 30.5" N`,
      '46 deg 12 min 30.5 sec N',
      '４６°１２′３０．５″',
      '46° 12′ 30.5″ N',
      'N 46 12 30.5',
      '46 12 30.5',
      '46-12-30.5',
      '46°12’30,5”N',
      '46:12:30.5',
      '46d12m30.5s',
      "46º12'30.5''N",
      'n46°12\'30.5"',
    ]
    for (const cell of written) expect(readAngle(cell, '.')?.degrees).toBeCloseTo(46.20847222222, 10)
    expect(readAngle("46°12,5'S", ',')).toEqual({ degrees: -(46 + 12.5 / 60), hemisphere: 'S' })
    expect(readAngle('6.5 W', '.')).toEqual({ degrees: -6.5, hemisphere: 'W' })
    expect((await surveyFile('dms_hemisphere.csv')).points[0]!.longitude).toBeCloseTo(6.561138888, 8)
  })

  test('reads S behind seconds as the south, and as their mark only beside other letters', () => {
    const south = [
      `46°12'30.5S`,
      `46° 12' 30.5 S`,
      '46 12 30.5 S',
      '46:12:30.5S',
      '46-12-30,5 S',
      '46d12m30.5S',
      '46d12m30.5s S',
    ]
    for (const cell of south) expect(readAngle(cell, '.')?.degrees).toBeCloseTo(-46.20847222222, 10)
    for (const cell of ['46D12M30.5S', '46d12m30.5s', '46 12 30.5s N', 'N 46 12 30.5s'])
      expect(readAngle(cell, '.')?.degrees).toBeCloseTo(46.20847222222, 10)
  })

  test('refuses ambiguous angles', () => {
    expect(readAngle('6 30 O', '.')?.degrees).toBe(-6.5)
    expect(readAngle('6 30 O', '.', 'E')?.degrees).toBe(6.5)
    for (const cell of [
      '46 12',
      '46 520',
      '46°60\'0"N',
      '46°12\'60"N',
      '-46°N',
      'N46°S',
      "46.5°12'N",
      '46°12.5\'30"N',
      '12,5',
      '',
    ]) {
      expect(readAngle(cell, '.')).toBeUndefined()
    }
  })

  test('reads degrees in parts to a billionth of a degree', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 90, noNaN: true }), fc.boolean(), (degrees, south) => {
        const d = Math.floor(degrees)
        const m = Math.floor((degrees - d) * 60)
        const s = Math.min(59.9999999, ((degrees - d) * 60 - m) * 60)
        const angle = readAngle(`${d}°${m}'${s.toFixed(7)}"${south ? 'S' : 'N'}`, '.')
        expect(Math.abs(angle!.degrees - (south ? -degrees : degrees))).toBeLessThan(1e-9)
      }),
    )
  })
})

test.each([
  ['٣٫١٤', 3.14],
  ['۳۴٫۲', 34.2],
  ['３．１４', 3.14],
  ['－３．１４', -3.14],
  ['\u200e-٥٢٫٥', -52.5],
  ['٥٬٨٢٠٬٠٧٢٫٩٦', 5_820_072.96],
])('reads Arabic, Persian and full-width figures: %s', (cell, value) => {
  expect(readGrouped(cell, '.')).toBe(value)
})

test.each(['٥٢،٥٢', '५२.५२', '52.5²', '13½'])('refuses other figures: %s', (cell) => {
  expect(readGrouped(cell, '.')).toBeUndefined()
  expect(readAngle(cell, '.')).toBeUndefined()
})

test.each(['33.45-', '52°31-', '٥٢٫٦٢-'])('refuses an angle with its sign behind it: %s', (cell) => {
  expect(readAngle(cell, '.')).toBeUndefined()
})

test('the Arabic decimal separator is one beside decimal commas too', async () => {
  const { points, faulty } = await surveyOf(
    'title;lat;lon;h\nA;٥٢٫٥٢;١٣٫٤٠٥;٣٤٫٢\nB;52,53;13,405;34,3\nC;52,54;13,405;٣٤٫٥\n',
  )
  expect(faulty).toEqual([])
  expect(points.map(({ latitude, longitude, h }) => [latitude, longitude, h])).toEqual([
    [52.52, 13.405, 34.2],
    [52.53, 13.405, 34.3],
    [52.54, 13.405, 34.5],
  ])
})

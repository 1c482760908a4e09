import { describe, expect, test } from 'vitest'
import { surveyOf } from '../../../../../test/surveying/survey.ts'

/** 33U 391776 5820072 */
const berlin = { latitude: 52.519997922, longitude: 13.404952036 }

describe('squares of MGRS', () => {
  const places: [square: string, latitude: number, longitude: number][] = [
    ['33UUU 91776 20072', berlin.latitude, berlin.longitude],
    ['33U UU 9177620072', berlin.latitude, berlin.longitude],
    // The White House, in the National Grid of the United States; an airfield on Oahu; Bergen, in the wide zone 32V.
    ['18SUJ2339407396', 38.8977, -77.0365],
    ['4QFJ1234567890', 21.4098, -157.91608],
    ['32VKM9746199890', 60.38456, 5.32481],
    ['37MBV5741558068', -0.37909, 36.82043],
    ['19HCD4665598000', -32.54479, -70.6331],
  ]

  test.each([
    ['name,mgrs,elevation\n', ','],
    ['', '\t'],
    ['', ' '],
  ])('are read at their middle, with half their diagonal as accuracy: %s', async (header, gap) => {
    const rows = places.map(([square], i) => `P${i}${gap}${square}${gap}35.5\n`).join('')
    const { points, faulty } = await surveyOf(header + rows)
    expect(faulty).toEqual([])
    for (const [i, { latitude, longitude, accuracyH, altitude }] of points.entries()) {
      expect(altitude).toBe(35.5)
      expect(accuracyH).toBeCloseTo(Math.SQRT1_2, 3)
      expect(latitude).toBeCloseTo(places[i]![1], 4)
      expect(longitude).toBeCloseTo(places[i]![2], 4)
    }
    expect(points[0]!.latitude).toBeCloseTo(berlin.latitude, 5)
  })

  test('of 10 and 100 m are as accurate; those with letters of another zone or uneven figures fail', async () => {
    const squares = [
      '33UUU 9177 2007',
      '33UUU917200',
      '33UUU918200',
      '33UAA 91776 20072',
      '33UUU 91776 2007',
      '33UUD 91776 20072',
      '33UUU 9177 2008',
    ]
    const { points, faulty } = await surveyOf(`name,mgrs\n${squares.map((square, i) => `P${i},${square}\n`).join('')}`)
    expect(points.map(({ accuracyH }) => accuracyH)).toEqual([7.071, 70.711, 70.711, 7.071])
    expect(faulty.map(({ faults }) => faults[0]!.message)).toEqual(
      Array(3).fill(expect.stringContaining('is no square of MGRS')),
    )
  })

  test('are read beside heights and codes that look like coordinates if the header names them', async () => {
    const { points } = await surveyOf('name,mgrs,elevation,code\nP1,33UUU 91776 20072,150.5,1001\n')
    expect(points).toMatchObject([{ title: 'P1', altitude: 150.5 }])
    expect(points[0]!.latitude).toBeCloseTo(berlin.latitude, 5)
  })

  test('keep the datum and the accuracies of the file, and give way to other coordinates', async () => {
    const row = 'name,mgrs,accuracy\nA,33UUU 91776 20072,3\n'
    for (const crs of ['EPSG:25833', 'EPSG:4326']) {
      const { points } = await surveyOf(row, { crs })
      expect(points).toMatchObject([{ accuracyH: 3, transformation: { crs: crs.replace('4326', '32633') } }])
    }
    await expect(surveyOf(`Datum: NAD27\n${row}`)).rejects.toMatchObject({ code: 'UNKNOWN_CRS' })
    const { points } = await surveyOf('name,lat,lon,mgrs\nA,52.5,13.4,33UUU 91776 20072\n')
    expect(points).toMatchObject([{ latitude: 52.5, accuracyH: null }])
  })
})

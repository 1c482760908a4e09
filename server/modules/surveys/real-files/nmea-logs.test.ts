import { afterAll, beforeAll, expect, test } from 'vitest'
import { openImports } from '../../../test/surveying/imports.ts'
import { checksumOf } from '../parser/formats/nmea/sentences.ts'

let opened: Awaited<ReturnType<typeof openImports>>
beforeAll(async () => {
  opened = await openImports()
})
afterAll(() => opened.close())

const sentence = (body: string) => `$${body}*${checksumOf(body)}`
const gga = (second: number, talker = 'GN') =>
  sentence(`${talker}GGA,12000${second}.00,5231.200396,N,01324.297240,E,4,14,0.8,34.750,M,39.500,M,1.0,0000`)
const ubx = Buffer.from([0xb5, 0x62, 0x01, 0x07, 0x5c, 0x00, 0x00, 0xff, 0xfe, 0x0a])

const read = async (log: string | Uint8Array<ArrayBuffer>) => {
  const { report } = await opened.imports.imported(log, { name: 'log.nmea', query: '?dryRun=true' })
  return report
}
const logs: [what: string, log: string | Uint8Array<ArrayBuffer>][] = [
  ['times of a logger', `2024-05-04T12:00:01.1Z ${gga(1, 'GP')}\n[12:00:02] RX: ${gga(2)}\n1714824003,${gga(3)}\n`],
  ['text behind a sentence', `${gga(1)} ; ok\n${gga(2)}\t-71 dBm\n"${gga(3)}"\n`],
  ['two sentences on a line', `${gga(1)}${gga(2)}\r\n\r\n${gga(3)}\r\n`],
  ['other talkers', `${gga(1, 'GP')}\n${gga(2, 'GA')}\n${gga(3, 'BD')}\n`],
  [
    'binary messages',
    Buffer.concat([ubx, Buffer.from(`${gga(1)}\r\n`), ubx, Buffer.from(`${gga(2)}\r\n${gga(3)}\r\n`)]),
  ],
]

test.each(logs)('reads all positions of a log with %s', async (_, log) => {
  const { detected, summary, points } = await read(log)
  expect(detected.format).toBe('nmea')
  expect(summary).toMatchObject({ rows: 3, created: 3, failed: 0 })
  expect(points[2].latitude).toBeCloseTo(52.5200066, 9)
})

test('reports each damaged position as a failed row: cut off, without its dollar sign, with a wrong checksum', async () => {
  const damaged = [gga(2).slice(0, 40), '$GNGG', gga(3).slice(1), gga(4).replace('5231', '5331')]
  const { summary, rows } = await read([gga(1), ...damaged, gga(5)].join('\n'))
  expect(summary).toMatchObject({ rows: 6, created: 2, failed: 4 })
  const failed = rows.filter(({ status }: { status: string }) => status === 'failed')
  expect(
    failed.map(({ line, errors }: { line: number; errors: { code: string }[] }) => [line, errors[0]!.code]),
  ).toEqual([2, 3, 4, 5].map((line) => [line, 'BAD_CHECKSUM']))
})

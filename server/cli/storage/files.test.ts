// @module-tag long
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { png } from '../../test/content/glb.ts'
import { formOf } from '../../test/multipart.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function upload(name: string, bytes: Uint8Array | string): Promise<string> {
  const { body } = await service.anonymous.post('/api/upload', formOf({ name, bytes }))
  return service.app.objects.keyOf(body.results[0].url)!
}

describe('cairn files check', () => {
  const check = async (...words: string[]) => {
    const { code, out, err } = await runCommandOn(service, ['files', 'check', '--json', ...words])
    expect(err).toBe('')
    return { code, ...(JSON.parse(out) as { objects: number; faults: { fault: string; key: string }[] }) }
  }

  test('finds nothing wrong in an empty storage, and names it', async () => {
    await upload('a.png', png)
    expect(await check('--hashes')).toEqual({ code: 0, objects: 1, faults: [] })
    const checked = await runCommandOn(service, ['files', 'check'])
    const { CAIRN_S3_ENDPOINT: endpoint, CAIRN_S3_BUCKET: bucket } = service.storage
    const place = bucket ? `${endpoint}, bucket ${bucket}` : `${service.folder}/objects`
    expect(checked).toMatchObject({ code: 0, out: `1 object in ${place}: nothing wrong\n` })
  })

  test('finds files without bytes, bytes without a record, wrong sizes and, with --hashes, wrong contents', async () => {
    const sql = sqlOn(service)
    const [lost, cut, changed] = [await upload('a', 'lost'), await upload('b', 'cut'), await upload('c', 'changed')]
    await service.app.objects.remove(lost)
    await sql(`update files set size = 2 where key = '${cut}'`)
    await sql(`update files set sha256 = repeat('0', 64) where key = '${changed}'`)
    const found = await check()
    expect(found).toMatchObject({
      code: 1,
      faults: [
        { fault: 'missing', key: lost },
        { fault: 'size', key: cut },
      ],
    })
    expect((await check('--hashes')).faults).toContainEqual({
      fault: 'hash',
      key: changed,
      says: expect.stringMatching(/^SHA-256 [0-9a-f]{64}; its record says 0{64}$/),
    })
    const checked = await runCommandOn(service, ['files', 'check'])
    expect(checked.out).toContain(`missing  ${lost}  the table files refers to it, but the object is missing`)
    expect(checked.out).toMatch(/\d objects in .*: 2 faults\n$/)
    await sql('delete from files')
  })

  test('reports an object without a record if it is older than an hour', async () => {
    const faults: { fault: string }[] = []
    await service.app.checkStorage({ hashes: false }, (fault) => faults.push(fault))
    expect(faults).toEqual([])
    await service.app.checkStorage({ hashes: false, olderThanMs: 0 }, (fault) => faults.push(fault))
    expect(faults.map(({ fault }) => fault)).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('reports an unavailable storage instead of missing files', async () => {
    const nowhere = {
      CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9',
      CAIRN_S3_BUCKET: 'files',
      CAIRN_S3_ACCESS_KEY_ID: 'id',
      CAIRN_S3_SECRET_ACCESS_KEY: 'secret',
    }
    const answer = await runCommandOn(service, ['files', 'check'], nowhere)
    expect(answer).toMatchObject({ code: 1, out: '', err: expect.stringContaining('does not answer') })
  })

  test('refuses other arguments', async () => {
    expect(await runCommandOn(service, ['files', 'check', 'all'])).toMatchObject({ code: 2 })
  })
})

describe('cairn files move', () => {
  test('requires S3 settings', async () => {
    const blank = Object.fromEntries(Object.keys(service.storage).map((name) => [name, '']))
    const answer = await runCommandOn(service, ['files', 'move'], blank)
    expect(answer).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Set CAIRN_S3_BUCKET') })
  })
})

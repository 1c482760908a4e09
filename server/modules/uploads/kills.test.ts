// @module-tag long
import { createHash, randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metadata, tusOn } from '../../test/network/tus.ts'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../../test/process.ts'

const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 3)
const MB = 1024 * 1024

let folder: string
let service: ServiceProcess | undefined
const settings = { CAIRN_LIMIT_UPLOADS_PER_HOUR: '100000' }
beforeAll(async () => {
  folder = await newFolder()
  service = await startProcess(folder, { settings })
})
afterAll(() => cleanUp(folder, service))

/** The same URL at the current process: each has a port of its own. */
const here = (address: string) => service!.url + new URL(address, service!.url).pathname

/** Requests to the current process. */
const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(here(path), {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const tus = tusOn({ request })

async function killAndRestart() {
  service!.child.kill('SIGKILL')
  await service!.ended
  service = await startProcess(folder, { settings })
}

/** Sends at full speed; ends when the process does. */
function sendPiece(url: string, offset: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const headers = { ...tus.chunk(offset), 'content-length': bytes.length }
    const piece = send(here(url), { method: 'PATCH', headers }, (answer) => answer.resume().on('close', resolve))
    piece.on('error', () => resolve()).end(bytes)
  })
}

/** Waits until that much of an upload is on the disk, or all of it is a file. */
async function arrived(id: string, least: number) {
  const size = () =>
    stat(join(folder, 'resumable', id)).then(
      ({ size }) => size,
      () => Number.POSITIVE_INFINITY,
    )
  while ((await size()) < least) await sleep(1)
}

test('after a kill -9 at any moment, an upload resumes from what is on the disk and becomes one whole file', {
  timeout: 60_000 + KILLS * 30_000,
}, async () => {
  let resumed = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const bytes = randomBytes((1 + ((kill * 37 + 19) % 100)) * MB)
    const begun = await tus.begin(bytes.length, { 'upload-metadata': metadata({ filename: `kill ${kill}.bin` }) })
    const url = begun.headers.get('location')!
    const sending = sendPiece(url, 0, bytes)
    // From the first bytes to after the last, when the file is created.
    const share = (0.3 + kill * 0.37) % 1.2
    await arrived(url.split('/').at(-1)!, Math.min(1, share) * bytes.length)
    if (share > 1) await sleep((((share - 1) * bytes.length) / MB) * 20)
    await killAndRestart()
    await sending

    const head = await tus.head(url)
    const offset = Number(head.headers.get('upload-offset'))
    expect(head.status).toBe(200)
    if (offset > 0 && offset < bytes.length) resumed++
    if (offset < bytes.length) expect((await tus.patch(url, offset, bytes.subarray(offset))).status).toBe(204)

    const { status, result } = (await tus.state(url)).body
    expect(status).toBe('finished')
    expect(result.fileSize).toBe(bytes.length)
    const served = await fetch(here(result.url))
    const hash = createHash('sha256')
    for await (const chunk of served.body!) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(await readdir(join(folder, 'resumable'))).toEqual([])
    // One object an upload, and no partial ones beside them.
    const all = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    expect(all.filter((entry) => entry.isFile())).toHaveLength(kill + 1)
  }
  expect(resumed).toBeGreaterThan(0)
})

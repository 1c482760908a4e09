import { renderSVG } from 'uqr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { boxGlb } from '../../../test/content/glb.ts'
import { sendScan, settledScan, uploadOf } from '../../../test/content/scans.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64)'
const pageOf = (fileId: number | string, userAgent = DESKTOP) =>
  service.as({ 'user-agent': userAgent }).get(`/ar/${fileId}`)
const hrefOf = (page: string, pattern: RegExp) => pattern.exec(page)?.[1]?.replaceAll('&amp;', '&')

async function converted(name: string) {
  const { fileId, url } = await uploadOf(service.anonymous, { name, bytes: boxGlb() })
  const { body } = await service.anonymous.post(`/api/upload/${fileId}/converted_file`)
  return { fileId, url, usdzUrl: body.convertedFile.fileUrl as string }
}

describe('the page that shows a model in AR', () => {
  test('opens without a session, with the USDZ behind rel="ar" around a picture alone, and the GLB behind an intent of Scene Viewer', async () => {
    const { fileId, url, usdzUrl } = await converted('a "box" & <more>.glb')
    const { status, body, headers } = await pageOf(`${fileId}?on=apple`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(body).toContain('<h1>a &quot;box&quot; &amp; &lt;more&gt;</h1>')
    expect(hrefOf(body, /<a class="model" rel="ar" href="([^"]+)"><img [^>]+><\/a>/)).toBe(usdzUrl)
    const intent = hrefOf((await pageOf(`${fileId}?on=android`)).body, /href="(intent:[^"]+)"/)!
    const [address, rest] = intent.split('#Intent;')
    const query = new URL(address!.replace('intent:', 'https:')).searchParams
    expect(Object.fromEntries(query)).toEqual({ file: url, mode: 'ar_preferred', title: 'a "box" & <more>' })
    expect(rest!.split(';')).toContain('scheme=https')
    expect(rest).toContain(encodeURIComponent(`/ar/${fileId}?on=android#no-viewer`))
    expect((await service.anonymous.get(usdzUrl)).status).toBe(200)
  })

  test('runs no script on a phone, fetches nothing but its picture and the font of the console, and stands in no frame', async () => {
    const { fileId } = await converted('box.glb')
    for (const phone of ['apple', 'android']) {
      const { body, headers } = await pageOf(`${fileId}?on=${phone}`)
      const policy = headers.get('content-security-policy')!.split('; ')
      const allowed = ["default-src 'none'", 'img-src data:', "font-src 'self'", "frame-ancestors 'none'"]
      expect(policy).toEqual(expect.arrayContaining(allowed))
      expect(policy.find((one) => one.startsWith('style-src'))).toMatch(/^style-src 'sha256-[^']+'$/)
      expect(body).not.toMatch(/<script|\sstyle=|\son[a-z]+=/)
      expect(body).toContain('href="?on=screen"')
    }
  })

  test('says what there is not: no USDZ yet of a GLB, no GLB of a USDZ', async () => {
    const glb = await uploadOf(service.anonymous, { name: 'plain.glb', bytes: boxGlb() })
    const plain = (await pageOf(`${glb.fileId}?on=apple`)).body
    expect(plain).toContain('There is no file for these devices')
    expect(plain).not.toContain('rel="ar"')
    const { usdzUrl } = await converted('box.glb')
    const bytes = new Uint8Array(await (await fetch(usdzUrl.replace(/^https?:\/\/[^/]+/, service.url))).arrayBuffer())
    const usdz = await uploadOf(service.anonymous, { name: 'sent.usdz', bytes })
    expect(hrefOf((await pageOf(`${usdz.fileId}?on=apple`)).body, /rel="ar" href="([^"]+)"/)).toBe(usdz.url)
    expect((await pageOf(`${usdz.fileId}?on=android`)).body).toContain('has no GLB, which Android needs')
  })

  test('shows the way of the device that asks alone; a desktop gets a QR code and links to both', async () => {
    const { fileId } = await converted('box.glb')
    const waysOn = async (agent: string, query = '') =>
      [...(await pageOf(`${fileId}${query}`, agent)).body.matchAll(/<h2>([^<]+)/g)].map(([, name]) => name)
    expect(await waysOn('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)')).toEqual(['iPhone and iPad'])
    expect(await waysOn('Mozilla/5.0 (Linux; Android 16; Pixel 9)')).toEqual(['Android'])
    for (const desktop of [DESKTOP, 'Mozilla/5.0 (Macintosh)']) {
      expect(await waysOn(desktop)).toEqual(['Open it on your phone'])
      expect(await waysOn(desktop, '?on=apple')).toEqual(['iPhone and iPad'])
      expect(await waysOn(desktop, '?on=android')).toEqual(['Android'])
    }
    expect((await pageOf(fileId)).body).toContain(renderSVG(`${service.url}/ar/${fileId}`, { border: 4, ecc: 'M' }))
    expect((await pageOf(`${fileId}?on=fridge`)).status).toBe(400)
  })

  test.each([
    ['fox_statue-v2.glb', 'fox statue v2'],
    ['Fox - final_1.glb', 'Fox - final_1'],
    ['__.glb', '__'],
  ])('names %s as a person reads it', async (file, title) => {
    const { fileId } = await uploadOf(service.anonymous, { name: file, bytes: boxGlb() })
    expect((await pageOf(fileId)).body).toContain(`<h1>${title}</h1>`)
  })

  test('shows the picture of a public scan, and is not there while the scan is private, not even for its owner', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const { body: scan } = await sendScan(user, { name: 'statue.glb', bytes: boxGlb() })
    const { previewImageUrl } = await settledScan(user, scan.id)
    const asked = [await pageOf(scan.fileId), await user.get(`/ar/${scan.fileId}`)]
    expect(asked.map(({ status }) => status)).toEqual([404, 404])
    for (const { body } of asked) expect(body).not.toContain('statue')

    await user.patch(`/api/v1/user/scans/${scan.id}`, { visibility: 'public' })
    const { status, body, headers } = await pageOf(`${scan.fileId}?on=apple`)
    const picture = previewImageUrl.replace(/\?.*$/, '')
    expect(status).toBe(200)
    expect(hrefOf(body, /rel="ar" href="[^"]+"><img src="([^"]+)"/)).toBe(picture)
    expect(headers.get('content-security-policy')).toContain(`img-src data: ${new URL(picture).origin}`)
    const onAndroid = (await pageOf(`${scan.fileId}?on=android`)).body
    expect(hrefOf(onAndroid, /href="intent:[^"]+"[^>]*><img src="([^"]+)"/)).toBe(picture)
  })

  test('is an error page if there is no model: for an unknown file, a text or an invalid id', async () => {
    const text = await uploadOf(service.anonymous, { name: 'notes.txt', bytes: 'hello' })
    for (const [id, status] of [
      [text.fileId, 404],
      [1, 404],
      ['statue', 400],
    ] as const) {
      const answer = await pageOf(id)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
      expect(answer.body).toContain('There is no model here')
    }
  })
})

import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOutside } from '../../test/network/outbound.ts'
import { guardedFetch } from './guarded-fetch.ts'

const PUBLIC = '93.184.216.34'
let answer: (request: IncomingMessage, response: ServerResponse) => void
let outside: Awaited<ReturnType<typeof startOutside>>
beforeAll(async () => {
  outside = await startOutside((request, response) => answer(request, response), {
    'files.example.org': [[PUBLIC]],
    'two.survey.example.org': [[PUBLIC, '2606:2800:220:1::1']],
    'mixed.survey.example.org': [[PUBLIC, '10.0.0.1']],
    'rebinding.survey.example.org': [[PUBLIC], ['127.0.0.1']],
    'other.example.org': [[PUBLIC]],
    ...Object.fromEntries(
      ['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0'].map((address, i) => [
        `inside${i}.survey.example.org`,
        [[address]],
      ]),
    ),
  })
})
afterAll(() => outside.stop())
beforeEach(() => {
  outside.asked.length = 0
  outside.resolved.length = 0
  answer = (_, response) => response.end('a file')
})

/** Long enough for the slowest machine; tests of timeouts set their own. */
const bounds = { bytes: 1000, answerMs: 20_000, idleMs: 20_000, totalMs: 25_000 }
const guard = (parts: Partial<Parameters<typeof guardedFetch>[0]> = {}) =>
  guardedFetch({ allows: () => true, network: outside.network, bounds, ...parts })

/** The content, or the error message. */
async function got(address: string, from = guard()): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of from.read(address)) chunks.push(chunk)
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
  return Buffer.concat(chunks).toString()
}

describe('URLs from callers', () => {
  test('are requested at the checked address, without anything that identifies the sender', async () => {
    const heads: object[] = []
    answer = ({ headers, url, method }, response) => {
      heads.push({ ...headers, url, method })
      response.setHeader('set-cookie', 'a=b').end('a file')
    }
    expect(await got('https://files.example.org/a/b?c=d#e')).toBe('a file')
    expect(await got('https://two.survey.example.org:8443/')).toBe('a file')
    expect(outside.asked).toEqual([`${PUBLIC} 443`, `${PUBLIC} 2606:2800:220:1::1 8443`])
    const common = { 'user-agent': 'Cairn', accept: '*/*', 'accept-encoding': 'identity', connection: 'close' }
    expect(heads).toEqual([
      { ...common, host: 'files.example.org', url: '/a/b?c=d', method: 'GET' },
      { ...common, host: 'two.survey.example.org:8443', url: '/', method: 'GET' },
    ])
  })

  // All known notations of, and redirects to, addresses that are not public.
  const inside = [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://100.64.0.1/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[::ffff:0:7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[4000::1]/',
    ...[0, 1, 2, 3, 4, 5].map((i) => `https://inside${i}.survey.example.org/`),
    'https://mixed.survey.example.org/',
  ]
  test.each(inside)('%s is never connected to, even if every host is allowed', async (address) => {
    expect(await got(address)).toMatch(/^refused: .* is not on the public internet(, or cannot be found)?$/)
    expect(outside.asked).toEqual([])
  })

  test.each([
    ...[0, 1, 2, 3, 4, 5].map((i) => `inside${i}.survey.example.org`),
    ...['mixed.survey.example.org', 'nowhere.example.org'],
  ])('the message for %s does not say whether the name exists', async (host) => {
    expect(await got(`https://${host}/`)).toBe(`refused: ${host} is not on the public internet, or cannot be found`)
  })

  const malformed = [
    'http://files.example.org/',
    'HTTP://files.example.org/',
    'ftp://files.example.org/',
    'file:///etc/passwd',
    'file://files.example.org/etc/passwd',
    'data:text/csv,title',
    'javascript:alert(1)',
    'gopher://files.example.org/',
    'jar:https://files.example.org/!/',
    'blob:https://files.example.org/1',
    'https://user@files.example.org/',
    'https://user:secret@files.example.org/',
    'https://files.example.org@127.0.0.1/',
    'https://files.example.org:0x50/',
    'https://[::1/',
    'https://256.256.256.256/',
    'https://',
    '//files.example.org/',
    'files.example.org/a.csv',
    '',
  ]
  test.each(malformed)('"%s" is refused as malformed', async (address) => {
    expect(await got(address)).toMatch(/^refused: it (must|is not)/)
    expect([outside.asked, outside.resolved]).toEqual([[], []])
  })

  test('a name is resolved once: later changes have no effect', async () => {
    expect(await got('https://rebinding.survey.example.org/')).toBe('a file')
    expect(outside.asked).toEqual([`${PUBLIC} 443`])
    expect(outside.resolved).toEqual(['rebinding.survey.example.org'])
    expect(await got('https://rebinding.survey.example.org/')).toMatch('is not on the public internet')
    expect(outside.asked).toHaveLength(1)
  })

  test('every redirect is checked like the first request', async () => {
    const allows = ({ hostname }: URL) => hostname !== 'other.example.org'
    const redirected = (location: string) => {
      answer = ({ url }, response) =>
        url === '/' ? response.writeHead(302, { location }).end() : response.end(`at ${url}`)
      return got('https://files.example.org/', guard({ allows }))
    }
    expect(await redirected('/next')).toBe('at /next')
    expect(await redirected('https://two.survey.example.org/there')).toBe('at /there')
    expect(outside.resolved.slice(-2)).toEqual(['files.example.org', 'two.survey.example.org'])
    const before = outside.asked.length
    const refused = [
      'http://files.example.org/next',
      'https://other.example.org/next',
      'https://user@files.example.org/next',
      '//other.example.org/next',
      'file:///etc/passwd',
      'https://[',
    ]
    for (const location of refused)
      expect([location, await redirected(location)]).toEqual([
        location,
        'refused: files.example.org redirects to an address that is not accepted',
      ])
    expect(await redirected('https://169.254.169.254/next')).toBe(
      'refused: 169.254.169.254 is not on the public internet',
    )
    expect(await redirected('https://mixed.survey.example.org/')).toMatch('is not on the public internet')
    expect(outside.asked).toHaveLength(before + refused.length + 2)
    expect(outside.asked.every((one) => one.startsWith(PUBLIC))).toBe(true)
  })

  test('five redirects are followed, no sixth', async () => {
    const chain = (length: number) => {
      answer = ({ url }, response) => {
        const hop = Number(url!.slice(1))
        if (hop < length) response.writeHead(307, { location: `/${hop + 1}` }).end()
        else response.end('a file')
      }
      return got('https://files.example.org/0')
    }
    expect(await chain(5)).toBe('a file')
    expect(await chain(6)).toBe('refused: files.example.org redirects more than 5 times')
  })

  test('sizes are limited, declared or not', async () => {
    answer = (_, response) => response.end('x'.repeat(1000))
    expect(await got('https://files.example.org/')).toHaveLength(1000)
    const tooLarge = 'refused: the file at files.example.org is larger than 1000 bytes'
    answer = (_, response) => response.end('x'.repeat(1001))
    expect(await got('https://files.example.org/')).toBe(tooLarge)
    answer = (_, response) => {
      const more = () => response.write('x'.repeat(100)) && setImmediate(more)
      response.on('drain', more)
      more()
    }
    expect(await got('https://files.example.org/')).toBe(tooLarge)
  })

  test('a compressed body or another status is refused', async () => {
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end('x')
    expect(await got('https://files.example.org/')).toBe('refused: files.example.org sends the file compressed')
    answer = (_, response) => response.writeHead(404).end('<b>secret</b>')
    expect(await got('https://files.example.org/')).toBe('refused: files.example.org answered 404 instead of the file')
    answer = (_, response) => response.writeHead(304, { location: '/x' }).end()
    expect(await got('https://files.example.org/')).toBe('refused: files.example.org answered 304 instead of the file')
  })

  test('times are limited: until the response, between its chunks, and in all', async () => {
    answer = () => {}
    expect(await got('https://files.example.org/', guard({ bounds: { ...bounds, answerMs: 200 } }))).toBe(
      'refused: files.example.org did not answer within 0.2 s',
    )
    const never = { ...outside.network, resolve: () => new Promise<string[]>(() => {}) }
    expect(
      await got('https://files.example.org/', guard({ network: never, bounds: { ...bounds, answerMs: 100 } })),
    ).toBe('refused: files.example.org did not answer within 0.1 s')
    answer = (_, response) => response.write('x')
    expect(await got('https://files.example.org/', guard({ bounds: { ...bounds, idleMs: 200 } }))).toBe(
      'refused: files.example.org stopped in mid-file',
    )
    answer = (_, response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    }
    expect(await got('https://files.example.org/', guard({ bounds: { ...bounds, totalMs: 600 } }))).toBe(
      'refused: files.example.org took longer than 0.6 s',
    )
  })

  test('the time of the reader is not a pause of the sender', { tags: ['long'] }, async () => {
    answer = (_, response) => {
      response.write('a ')
      setTimeout(() => response.end('file'), 100)
    }
    let read = ''
    const { read: pieces } = guard({ bounds: { ...bounds, idleMs: 600 } })
    for await (const piece of pieces('https://files.example.org/')) {
      read += Buffer.from(piece).toString()
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    expect(read).toBe('a file')
  })

  test('a server with a wrong certificate or an unknown name is reported', async () => {
    expect(await got('https://other.example.org/')).toBe('refused: other.example.org has no valid certificate')
    expect(await got('https://nowhere.example.org/')).toBe(
      'refused: nowhere.example.org is not on the public internet, or cannot be found',
    )
    answer = (_, response) => response.socket!.destroy()
    expect(await got('https://files.example.org/')).toBe('refused: files.example.org could not be reached')
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('x')
      setTimeout(() => response.socket!.destroy(), 20)
    }
    expect(await got('https://files.example.org/')).toBe('refused: files.example.org broke off in mid-file')
  })
})

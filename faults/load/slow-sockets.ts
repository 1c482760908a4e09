import { connect, type Socket } from 'node:net'

/** Kinds of slow clients: never completes headers, trickles a body, stops in a form, or does not read the response. */
export type Slowness = 'headers' | 'body' | 'form' | 'reader'

export type SlowSocket = {
  kind: Slowness
  /** Milliseconds until it was closed. */
  cut: Promise<number>
  isCut: () => boolean
  /** The response received so far. */
  answer: () => string
  bytes: () => number
  /** Reads what the operating system has buffered; only then the reader sees the end. */
  readOn: () => void
  end: () => void
}

/** Opens a slow connection of the given kind. */
export function slowSocket(kind: Slowness, url: string, { file }: { file: string }): SlowSocket {
  const { hostname, port } = new URL(url)
  const start = performance.now()
  let answer = ''
  let isCut = false
  const socket = connect(Number(port), hostname, () => socket.write(beginning(kind, file)))
  const trickle = kind === 'headers' || kind === 'body' ? setInterval(() => write(socket, kind), 500) : undefined
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (kind !== 'reader') answer += piece
  })
  // Only the operating systems' buffers fill with an unread response.
  if (kind === 'reader') socket.pause()
  const cut = new Promise<number>((resolve) => {
    const closed = () => {
      clearInterval(trickle)
      isCut = true
      resolve(performance.now() - start)
    }
    socket.on('error', closed)
    socket.on('close', closed)
  })
  return {
    kind,
    cut,
    isCut: () => isCut,
    answer: () => answer,
    bytes: () => bytes,
    readOn: () => void socket.resume(),
    end: () => {
      clearInterval(trickle)
      socket.destroy()
    },
  }
}

const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: cairn\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`

function beginning(kind: Slowness, file: string): string {
  if (kind === 'headers') return 'GET /healthz HTTP/1.1\r\nhost: cairn\r\nx-'
  if (kind === 'body') return `${post('/auth/codes/exchange', 'application/json', 1000)}{"code":`
  if (kind === 'reader') return `GET ${file} HTTP/1.1\r\nhost: cairn\r\n\r\n`
  const part = '--slow\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
  return `${post('/api/upload', 'multipart/form-data; boundary=slow', 1_000_000)}${part}${'x'.repeat(5000)}`
}

function write(socket: Socket, kind: Slowness): void {
  if (socket.writable) socket.write(kind === 'headers' ? 'a' : ' ')
}

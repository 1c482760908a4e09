import { createConnection, type Socket } from 'node:net'

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * Sends GET requests over kept-alive connections with minimal overhead, so that the client takes little CPU from the
 * server: bodies are counted, not read.
 * @throws for any status but 200
 */
export function rawClient(address: string, connections: number) {
  const { hostname, port } = new URL(address)
  const free = Array.from({ length: connections }, () => new Connection(hostname, Number(port)))
  return {
    /** @returns the size of the body in bytes */
    async get(path: string): Promise<number> {
      const connection = free.pop()
      if (!connection) throw new Error('more concurrent requests than connections')
      try {
        return await connection.get(path)
      } finally {
        free.push(connection)
      }
    },
    close() {
      for (const connection of free) connection.close()
    },
  }
}

class Connection {
  readonly #host: string
  readonly #port: number
  /** Created by the first request, and again after the server closed an idle connection. */
  #socket: Socket | undefined
  #head: Buffer = Buffer.alloc(0)
  /** The size of the body, and the bytes still missing. */
  #length = 0
  #missing = -1
  #done: (bytes: number) => void = () => {}
  #fail: (error: Error) => void = () => {}

  constructor(host: string, port: number) {
    this.#host = host
    this.#port = port
  }

  get(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#done = resolve
      this.#fail = reject
      this.#socket ??= this.#connect()
      this.#socket.write(`GET ${path} HTTP/1.1\r\nhost: ${this.#host}:${this.#port}\r\n\r\n`)
    })
  }

  #connect(): Socket {
    const socket = createConnection({ host: this.#host, port: this.#port, noDelay: true })
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => {
      this.#socket = undefined
      this.#fail(new Error('the server closed the connection'))
    })
    return socket
  }

  close() {
    this.#socket?.destroy()
  }

  #take(chunk: Buffer) {
    if (this.#missing < 0) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const end = this.#head.indexOf(END_OF_HEAD)
      if (end < 0) return
      const head = this.#head.toString('latin1', 0, end)
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) return this.#fail(new Error(head))
      this.#length = Number(length)
      this.#missing = this.#length - (this.#head.length - end - END_OF_HEAD.length)
      this.#head = Buffer.alloc(0)
    } else this.#missing -= chunk.length
    if (this.#missing > 0) return
    this.#missing = -1
    this.#done(this.#length)
  }
}

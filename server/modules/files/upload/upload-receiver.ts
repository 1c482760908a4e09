import { HttpError } from '../../../platform/errors.ts'
import type { FormFile } from '../../../platform/http/bodies/forms.ts'
import type { Objects } from '../../../platform/storage/objects.ts'
import { displayName } from '../../../platform/storage/types/file-names.ts'
import { detectType, type FileType, PEEK_BYTES } from '../../../platform/storage/types/file-types.ts'
import { firstBytes } from '../../../platform/storage/types/first-bytes.ts'

/** A file whose bytes are stored, still without a record. */
export type Received = { key: string; size: number; sha256: string; fileName: string; mimeType: string }

/** A file that is refused, while others of the same request may be accepted. */
export class Refusal extends HttpError {}

export const isReceived = (outcome: Received | Refused): outcome is Received => 'key' in outcome
export type Refused = { fileName: string; refusal: Refusal }

export type Intake = ReturnType<typeof createUploadReceiver>

/**
 * Receives files as streams, never whole in memory: detects the type from the first bytes, then stores them as an
 * object with a generated key.
 */
export function createUploadReceiver({ objects, maxBytes }: { objects: Objects; maxBytes: number }) {
  const discard = async (outcomes: (Received | Refused)[]) => {
    await Promise.all(outcomes.filter(isReceived).map(({ key }) => objects.remove(key)))
  }

  /**
   * @param judge is called with the type before anything is stored, and throws to refuse it @throws Refusal if the file
   * is empty or too large; then nothing is stored
   */
  const receive = async (
    { fileName, claimedType, bytes }: FormFile,
    judge: (type: FileType, claim: { fileName: string; claimedType: string }) => void = () => {},
  ): Promise<Received> => {
    const name = displayName(fileName)
    const { head, all } = await firstBytes(bytes, PEEK_BYTES)
    if (head.length === 0) throw new Refusal(400, `The file "${name}" is empty`)
    const type = await detectType(head, name)
    judge(type, { fileName: name, claimedType })
    const { key, size, sha256 } = await objects.put(within(all, maxBytes, name), { extension: type.extension })
    return { key, size, sha256, fileName: name, mimeType: type.mimeType }
  }

  return {
    receive,
    discard,

    /** Receives all files or, if the request breaks off, none. */
    async receiveAll(files: AsyncIterable<FormFile>): Promise<(Received | Refused)[]> {
      const outcomes: (Received | Refused)[] = []
      try {
        for await (const file of files) {
          outcomes.push(
            await receive(file).catch((error: unknown) => {
              if (error instanceof Refusal) return { fileName: displayName(file.fileName), refusal: error }
              throw error
            }),
          )
        }
        return outcomes
      } catch (error) {
        await discard(outcomes)
        throw error
      }
    },
  }
}

const tooLarge = (name: string, maxBytes: number) =>
  new Refusal(413, `The file "${name}" is larger than ${maxBytes} bytes`)

async function* within(bytes: AsyncIterable<Uint8Array>, maxBytes: number, name: string) {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(name, maxBytes)
    yield chunk
  }
}

import { badRequest } from '../../../platform/errors.ts'
import type { FormFile } from '../../../platform/http/bodies/forms.ts'
import { type FileType, GLB } from '../../../platform/storage/types/file-types.ts'
import type { Intake, Received } from './upload-receiver.ts'

/**
 * The one file of a form, once the whole form has arrived; several are refused without storing any. @returns undefined
 * if there is none @throws 400 for several
 */
export async function receiveOne(intake: Intake, incoming: AsyncIterable<FormFile>): Promise<Received | undefined> {
  let received: Received | undefined
  try {
    for await (const file of incoming) {
      if (received) throw badRequest('Send one file, in the part "file"; this form has several')
      received = await intake.receive(file, refuseFalseGlb)
    }
    return received
  } catch (error) {
    if (received) await intake.discard([received])
    throw error
  }
}

/** A file that claims to be a GLB must be one. */
function refuseFalseGlb(type: FileType, { fileName, claimedType }: { fileName: string; claimedType: string }) {
  const saysGlb = /\.glb$/i.test(fileName) || claimedType.toLowerCase() === GLB.mimeType
  if (saysGlb && type !== GLB)
    throw badRequest(
      `"${fileName}" claims to be a GLB but is not: its content is ${type.mimeType}; a GLB starts with "glTF"`,
    )
}

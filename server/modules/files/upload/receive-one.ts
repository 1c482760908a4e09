import { badRequest } from '../../../platform/errors.ts'
import type { FormFile } from '../../../platform/http/bodies/forms.ts'
import { type FileType, GLB, typeNamed, typeOfName } from '../../../platform/storage/types/file-types.ts'
import { assertSource, CONVERTIBLE } from '../conversion/formats/convertible.ts'
import type { ConversionOptions } from '../conversion/schema.ts'
import type { Intake, Received } from './upload-receiver.ts'

/**
 * The one file of a form, once the whole form has arrived; several are refused without storing any. @returns undefined
 * if there is none @throws 400 for several, or a file that is not what it claims or these options need
 */
export async function receiveOne(
  intake: Intake,
  incoming: AsyncIterable<FormFile>,
  options: Pick<ConversionOptions, 'format'> = {},
): Promise<Received | undefined> {
  let received: Received | undefined
  try {
    for await (const file of incoming) {
      if (received) throw badRequest('Send one file, in the part "file"; this form has several')
      received = await intake.receive(file, (type, claim) => {
        refuseFalseModel(type, claim)
        assertSource({ fileName: claim.fileName, mimeType: type.mimeType }, options)
      })
    }
    return received
  } catch (error) {
    if (received) await intake.discard([received])
    throw error
  }
}

/** A file that claims to be a model must be one. */
function refuseFalseModel(type: FileType, { fileName, claimedType }: { fileName: string; claimedType: string }) {
  const claims = [typeOfName(fileName), typeNamed(claimedType)]
  const claim = CONVERTIBLE.find((model) => model !== type && claims.includes(model))
  if (!claim) return
  const hint = claim === GLB ? '; a GLB starts with "glTF"' : ''
  throw badRequest(
    `"${fileName}" claims to be of type ${claim.extension.toUpperCase()} but is not: its content is ${type.mimeType}${hint}`,
  )
}

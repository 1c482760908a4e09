import { WAITS_FOR_DISK } from '../../platform/job-disk-check.ts'
import { renamed } from '../../platform/storage/types/file-names.ts'
import { GLB, typeName } from '../../platform/storage/types/file-types.ts'
import { isConvertible, resultType } from './conversion/formats/convertible.ts'
import type { ConversionOptions } from './conversion/schema.ts'
import type { Conversion, ConvertAnswer, ConvertedFileAnswer, NewFile, OriginalFile, UploadResult } from './schema.ts'
import type { Refused } from './upload/upload-receiver.ts'

const NOT_CONVERTED =
  'File stored. Only GLB, PLY, OBJ and STL files are converted to USDZ; with format=glb, a USDZ is converted to GLB.'

/**
 * Presents files and conversions. @param addressOf the URL of an object @param isHeld whether conversions wait for free
 * disk space
 */
export function filePresenters(addressOf: (key: string) => string, isHeld: () => boolean = () => false) {
  const originalFile = ({ id, fileName, key }: NewFile): OriginalFile => ({
    id,
    fileName,
    fileType: typeName(key),
    fileUrl: addressOf(key),
  })

  return {
    taken: ({ id, fileName, size, mimeType, key }: NewFile): UploadResult => ({
      status: 'success',
      message: 'File stored.',
      url: addressOf(key),
      fileId: id,
      fileName,
      fileSize: size,
      mimeType,
      arWorldUrl: typeName(key) === 'AR_WORLD' ? addressOf(key) : null,
    }),

    notTaken: ({ fileName, refusal }: Refused): UploadResult => ({
      status: 'error',
      message: refusal.message,
      url: null,
      fileId: null,
      fileName,
      fileSize: 0,
      mimeType: 'application/octet-stream',
      arWorldUrl: null,
    }),

    /**
     * A completed conversion. All files with the same bytes share the result; its name is that of the file asked about.
     */
    converted(
      file: NewFile,
      { options, result, seconds, report }: Conversion,
      { before = false }: { before?: boolean } = {},
    ): ConvertedFileAnswer {
      const type = resultType(options)
      const fileType = type === GLB ? 'GLB' : 'USDZ'
      return {
        message: before ? `File was already converted to ${fileType}.` : `File converted to ${fileType}.`,
        originalFile: originalFile(file),
        convertedFile: {
          id: result!.id,
          fileName: renamed(file.fileName, type.extension),
          fileType,
          fileUrl: addressOf(result!.key),
          fileSize: result!.size,
        },
        ...(options && { options }),
        conversionTime: `${seconds!.toFixed(2)}s`,
        report: report!,
      }
    },

    /** A file with the state of its conversion. @param asked the options of the conversion */
    conversion(file: NewFile, conversion: Conversion | undefined, asked: ConversionOptions = {}): ConvertAnswer {
      const base = { originalFile: originalFile(file) }
      if (!isConvertible(file, asked)) return { message: NOT_CONVERTED, ...base }
      if (!conversion) return { message: 'This file has not been converted yet.', ...base }
      const { status, error, options } = conversion
      if (status === 'COMPLETED') return this.converted(file, conversion)
      const known = { ...base, ...(options && { options }), status }
      if (status === 'FAILED') return { message: 'This file cannot be converted.', ...known, error: error! }
      const waits = status === 'PENDING' && isHeld()
      return { message: waits ? WAITS_FOR_DISK : 'The conversion has not completed yet.', ...known }
    },
  }
}

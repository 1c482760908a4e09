import type { UserCaller } from '../../../platform/credentials/callers.ts'
import { hasOpsAccess, isAdmin } from '../../../platform/credentials/guards.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import type { Page } from '../../../platform/http/pages.ts'
import { GLB } from '../../../platform/storage/types/file-types.ts'
import { optionsOf } from '../conversion/conversion-key.ts'
import { resultType } from '../conversion/formats/convertible.ts'
import type { UserFile, UserFileDetail, UserFileQuery } from './schema.ts'
import type { FileUse, OptionedRow, UserFileRow, UserFileStore } from './store.ts'

type Deps = {
  store: UserFileStore
  /** Creates the record of an announced file that has arrived. @throws 400 if it is not what was announced */
  arrive: (fileId: number) => Promise<unknown>
  /** The URL of a public object. */
  plain: (key: string) => string
  /** A signed URL of an object, valid for a while. */
  signed: (key: string) => string
  /** Removes objects that nothing refers to. */
  removeUnused: () => Promise<void>
}

export type UserFiles = ReturnType<typeof userFiles>

/** Uploaded files: for their owners and ops to see, for their owners and admins to delete. */
export function userFiles({ store, arrive, plain, signed, removeUnused }: Deps) {
  const addressOf = (key: string, isHidden: boolean) => (isHidden ? signed(key) : plain(key))

  const toResponse = (row: UserFileRow): UserFile => ({
    fileId: row.id,
    fileName: row.fileName,
    url: addressOf(row.key, row.isHidden),
    contentType: row.contentType,
    bytes: row.bytes,
    createdAt: row.createdAt,
    userId: row.userId,
    conversion: row.status && {
      status: row.status,
      usdzUrl: row.usdzKey && addressOf(row.usdzKey, row.areResultsHidden),
      errorMessage: row.error,
    },
    conversionsWithOptions: row.withOptions.map((made) => withOptions(row, made)),
  })

  const withOptions = ({ areResultsHidden }: UserFileRow, { options: text, status, resultKey, error }: OptionedRow) => {
    const options = optionsOf(text)!
    const url = resultKey && addressOf(resultKey, areResultsHidden)
    const isGlb = resultType(options) === GLB
    return { options, status, usdzUrl: isGlb ? null : url, glbUrl: isGlb ? url : null, errorMessage: error }
  }

  /** Another user's file does not exist, except for ops. @throws 404 */
  const fileFor = async (user: UserCaller, fileId: number): Promise<UserFileRow> => {
    await arrive(fileId)
    const file = await store.get(fileId)
    if (!file || (file.userId !== user.id && !hasOpsAccess(user))) throw notFound('File')
    return file
  }

  return {
    /** The user's files, or everyone's with `all`, newest first. @throws 403 for `all` without a role */
    async list(user: UserCaller, query: UserFileQuery): Promise<Page<UserFile>> {
      if (query.all && !hasOpsAccess(user)) throw forbidden('all=true requires ops or admin')
      const page = await store.page(query.all ? null : user.id, query)
      return { ...page, rows: page.rows.map(toResponse) }
    },

    /** One file with its conversion report. @throws 404 */
    async get(user: UserCaller, fileId: number): Promise<UserFileDetail> {
      const row = await fileFor(user, fileId)
      const { conversion, ...file } = toResponse(row)
      return {
        ...file,
        conversion: conversion && { ...conversion, report: row.report },
        conversionsWithOptions: row.withOptions.map((made) => ({ ...withOptions(row, made), report: made.report })),
      }
    },

    /** Deletes a file and its bytes. @throws 403, 404; 409 while a record uses it */
    async remove(user: UserCaller, fileId: number, actor: Actor): Promise<void> {
      const file = await fileFor(user, fileId)
      if (file.userId !== user.id && !isAdmin(user))
        throw forbidden('This file belongs to another user: only its owner and admins can delete it')
      const uses = await store.remove(file, actor)
      if (uses) throw conflict(stillUsed(user, uses))
      await removeUnused()
    },
  }
}

/** Private records are named only to their owner and ops. */
function stillUsed(user: UserCaller, uses: FileUse[]): string {
  const names = uses.map(({ kind, id, title, ownerId, isOpen }) =>
    isOpen || ownerId === user.id || hasOpsAccess(user)
      ? `${kind} ${id}${title === null ? '' : ` "${title}"`}`
      : `a ${kind} of another user`,
  )
  return `The file is still used by ${names.join(', ') || 'another record'}: delete it first, or have it use another file`
}

import { hasOpsAccess, isAdmin, type UserCaller } from '../../../platform/credentials/guards.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, forbidden, notFound } from '../../../platform/errors.ts'
import type { Page } from '../../../platform/http/pages.ts'
import type { UserFile, UserFileDetail, UserFileQuery } from './schema.ts'
import type { FileUse, UserFileRow, UserFileStore } from './store.ts'

type Deps = {
  store: UserFileStore
  /** Makes the record of an announced file that has arrived. @throws 400 for one that is not what was announced */
  arrive: (fileId: number) => Promise<unknown>
  /** The address of an object, for whoever may see it. */
  plain: (key: string) => string
  /** The address of an object, with a signature that lets its bearer see it for a while. */
  signed: (key: string) => string
  /** Removes the objects that nothing points to any more. */
  removeUnused: () => Promise<void>
}

export type UserFiles = ReturnType<typeof userFiles>

/** The files that users sent: seen by them and ops, deleted by them and admins. */
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
      usdzUrl: row.usdzKey && addressOf(row.usdzKey, row.isUsdzHidden),
      errorMessage: row.error,
    },
  })

  /** Another's file is not there, but for ops. @throws 404 */
  const fileFor = async (user: UserCaller, fileId: number): Promise<UserFileRow> => {
    await arrive(fileId)
    const file = await store.get(fileId)
    if (!file || (file.userId !== user.id && !hasOpsAccess(user))) throw notFound('File')
    return file
  }

  return {
    /** The user's files, or with `all` everybody's, newest first. @throws 403 for `all` without a role */
    async list(user: UserCaller, query: UserFileQuery): Promise<Page<UserFile>> {
      if (query.all && !hasOpsAccess(user)) throw forbidden('all=true is for ops and admins: leave it out')
      const page = await store.page(query.all ? null : user.id, query)
      return { ...page, rows: page.rows.map(toResponse) }
    },

    /** One file, with what its conversion noted. @throws 404 */
    async get(user: UserCaller, fileId: number): Promise<UserFileDetail> {
      const row = await fileFor(user, fileId)
      const { conversion, ...file } = toResponse(row)
      return { ...file, conversion: conversion && { ...conversion, report: row.report } }
    },

    /** Takes a file away, with its bytes. @throws 403, 404, 409 while a record shows it */
    async remove(user: UserCaller, fileId: number, actor: Actor): Promise<void> {
      const file = await fileFor(user, fileId)
      if (file.userId !== user.id && !isAdmin(user))
        throw forbidden('This file belongs to somebody else: its owner and admins can delete it')
      const uses = await store.remove(file, actor)
      if (uses) throw conflict(stillUsed(user, uses))
      await removeUnused()
    },
  }
}

/** What is not open is named to its owner and ops alone. */
function stillUsed(user: UserCaller, uses: FileUse[]): string {
  const names = uses.map(({ kind, id, title, ownerId, isOpen }) =>
    isOpen || ownerId === user.id || hasOpsAccess(user)
      ? `${kind} ${id}${title === null ? '' : ` "${title}"`}`
      : `a ${kind} of somebody else`,
  )
  return `The file is still used by ${names.join(', ') || 'another record'}: delete that first, or let it show another file`
}

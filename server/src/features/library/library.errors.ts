import { AppError, invalid } from '../../platform/http/index.js'

export const nameTaken = (name: string) =>
  invalid({ name: [`The library has a block ${JSON.stringify(name)} already.`] })

export const libraryFull = (most: number) =>
  new AppError({
    code: 'library.full',
    status: 409,
    message: `The library has ${most} blocks, and more are not possible. Delete those that are not used.`,
  })

export const blockChanged = (block: { changedBy: string | null; changedAt: Date; revision: number }) => {
  const changedAt = block.changedAt.toISOString()
  const detail = `The block was changed meanwhile (${block.changedBy ?? 'somebody'}, ${changedAt}). Look at it again.`
  const body = { detail, saved_by: block.changedBy, saved_at: changedAt, revision: block.revision }
  return new AppError({ code: 'library.changed', status: 409, message: detail, body })
}

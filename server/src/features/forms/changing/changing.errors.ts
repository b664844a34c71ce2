import { AppError, badRequest, forbidden } from '../../../platform/http/index.js'

export const unknownOwner = (username: string) =>
  new AppError({
    code: 'form.unknown_owner',
    status: 400,
    message: `User with username ${username} does not exist.`,
    body: { message: `User with username ${username} does not exist.` },
  })

export const mayNotAdd = (caller: string, owner: string) =>
  forbidden(`User ${caller} has no permission to add xforms to account ${owner}`)

export const notManager = (caller: string, title: string) =>
  forbidden(`${caller} has no manager/owner role to the form ${title}`)

/** Managers move a form within its account; giving it away is for its owners. */
export const notOwner = (caller: string, title: string) =>
  forbidden(`${caller} has no owner role to the form ${title}, which giving it to another account needs`)

export const sameId = () => badRequest('Form with the same id_string already exists in this account', 'form.id_taken')

import { AppError } from '../../platform/http/index.js'

/** For a file that is not there, that the caller may not see, and that has another name: always the same words. */
export const fileNotFound = (filename: string) =>
  new AppError({
    code: 'file.not_found',
    status: 404,
    message: `Filename '${filename}' not found.`,
    isForOthers: true,
  })

export const noPicture = () =>
  new AppError({ code: 'file.no_picture', status: 404, message: 'There is no picture of this file in this size.' })

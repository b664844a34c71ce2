import type { Files } from './files.js'
import { openFolderFiles } from './folder-files.js'
import { parseFilesUrl } from './location.js'

/** `url` as in parseFilesUrl; without one, files are in the default folder. */
export async function openFiles(url: string | undefined, defaults: { folder: string }): Promise<Files> {
  const location = parseFilesUrl(url ?? defaults.folder)
  if (location.kind === 'folder') return { ...(await openFolderFiles(location.path)), location }
  const { openS3Files } = await import('./s3-files.js')
  return { ...(await openS3Files(location)), location }
}

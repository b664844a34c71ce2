import { defineSettings, setting } from '../../platform/config/index.js'
import { parseFilesUrl } from '../../platform/files/index.js'

const mustBeLong = (value: string): void => {
  if (value.length < 12) throw new Error('it has fewer than 12 characters')
}

export const backupSettings = defineSettings('Backups', {
  backupUrl: setting.optionalFormat('BACKUP_URL', 'folder or s3:// address', {
    check: parseFilesUrl,
    isSecret: true,
    doc: 'Where the server backs itself up to: a folder, or `s3://KEY:SECRET@host/bucket/prefix?region=…`; a place of its own for each installation. Without it backups are made by hand (`sheaf backup`).',
  }),
  backupEvery: setting.integer('BACKUP_EVERY', {
    default: 24,
    min: 1,
    max: 8760,
    doc: 'Hours from the beginning of one backup to that of the next.',
  }),
  backupKeep: setting.integer('BACKUP_KEEP', {
    default: 14,
    min: 1,
    // The list of files of each is held open while what none needs is looked for.
    max: 100,
    doc: 'How many of the backups that the server made itself are kept; those made by hand stay until somebody removes them.',
  }),
  backupPassphrase: setting.optionalFormat('BACKUP_PASSPHRASE', 'text of at least 12 characters', {
    check: mustBeLong,
    isSecret: true,
    doc: 'Encrypts what the server backs up itself, with the secret in it, and is used by `sheaf backup --encrypt`, `sheaf backup check` and `sheaf restore` instead of asking. Keep it elsewhere too: without it a backup cannot be read.',
  }),
})

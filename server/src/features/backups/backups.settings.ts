import { defineSettings, setting } from '../../platform/config/index.js'

const mustBeLong = (value: string): void => {
  if (value.length < 12) throw new Error('it has fewer than 12 characters')
}

export const backupSettings = defineSettings('Backups', {
  backupPassphrase: setting.optionalFormat('BACKUP_PASSPHRASE', 'text of at least 12 characters', {
    check: mustBeLong,
    isSecret: true,
    doc: 'What `sheaf backup --encrypt`, `sheaf backup check` and `sheaf restore` use instead of asking. Keep it elsewhere too: without it a backup cannot be read.',
  }),
})

import { translation } from '../catalogue'
import type en from '../en/form-draft'

export default translation<typeof en>({
  title: 'Essayer une version',
  about:
    'Les téléphones qui scannent son code ne remplissent que cette version. Ce qu’ils envoient n’est pas un enregistrement du formulaire.',
  drop: 'Déposez ici le XLSForm à essayer, ou choisissez-le',
  dropHint: '.xlsx, .xls, .csv ou un XForm (.xml)',
  dropAgain: 'Déposez un autre fichier à sa place, ou choisissez-le',
  dropAgainHint:
    'Les téléphones la reçoivent avec le même code. Les enregistrements d’essai restent, chacun avec sa version.',
  kept: 'La version peut être essayée',
  version: '{title}, version {version}',
  missing: 'Fichiers qu’il nomme et qui ne sont pas ici :',
  scan: 'Scannez le code avec ODK Collect, ou saisissez l’adresse comme serveur.',
  address: 'Adresse pour les téléphones',
  plan: 'Ce que sa publication signifierait',
  code: 'Code pour les téléphones',
  records: {
    one: '{n} enregistrement d’essai',
    many: '{n} enregistrements d’essai',
    other: '{n} enregistrements d’essai',
  },
  recordsAbout: 'Ils disparaissent quand la version est publiée ou jetée, et après 30 jours.',
  tried: 'Enregistrements d’essai',
  publish: 'Publier cette version',
  published: 'La version est publiée. Les téléphones la recevront à leur prochaine demande.',
  throwAway: 'La jeter',
  throwAwaySure: 'La version et tous les enregistrements d’essai disparaissent. Le formulaire reste tel quel.',
  throwAwayForm: 'Le formulaire n’a jamais été publié : il disparaît aussi, avec tous les enregistrements d’essai.',
  thrownAway: 'La version a été jetée',
})

import { translation } from '../catalogue'
import type en from '../en/account-token'

export default translation<typeof en>({
  title: 'Jeton d’API',
  about:
    'Avec lui, un programme ou un script lit et écrit tout ce qui vous est permis, sans votre mot de passe. Gardez-le comme votre mot de passe.',
  password: 'Votre mot de passe',
  passwordHint: 'Demandé à nouveau, car qui a le jeton n’a plus besoin de se connecter.',
  show: 'Afficher le jeton',
  hide: 'Le masquer',
  permanent: 'Jeton permanent',
  temporary: 'Jeton temporaire',
  try: 'Par exemple, dans un terminal',
  docs: 'Ce que peuvent faire les programmes est décrit dans {link}.',
  docsLink: 'la description de l’API',
  renew: 'Le remplacer',
  renewTitle: 'Remplacer le jeton ?',
  renewAbout:
    'L’ancien prend fin aussitôt : les programmes et scripts qui l’utilisent s’arrêtent jusqu’à recevoir le nouveau.',
  renewed: 'Le jeton est remplacé',
  cancel: 'Annuler',
})

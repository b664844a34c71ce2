import { translation } from '../catalogue'
import type en from '../en/account-profile'

export default translation<typeof en>({
  who: 'Qui vous êtes',
  firstName: 'Prénom',
  lastName: 'Nom de famille',
  organization: 'Organisation',
  city: 'Ville',
  country: 'Pays',
  noCountry: 'Non précisé',
  website: 'Site web',
  picture: 'Votre image',
  pictureAbout: 'Le serveur dessine l’image ; les autres la voient à côté de votre nom.',
  joined: 'Membre depuis le {date}',
  mail: 'E-mail',
  email: 'Adresse e-mail',
  mailAbout: 'Vous seul la voyez. Les messages sur votre compte et les invitations y arrivent.',
  verified: 'Vérifiée',
  unverified: 'Non vérifiée',
  sendMail: 'Envoyer le message de vérification',
  mailSent: 'Un message est en route vers {email}',
  currentPassword: 'Votre mot de passe',
  currentHint: 'Nécessaire pour changer l’adresse.',
  sending: 'Envoi de données',
  requireAuth: 'Seules les personnes connectées peuvent envoyer des données à mes formulaires',
  requireAuthHint:
    'Sinon, quiconque connaît l’adresse d’un formulaire peut y envoyer des données, sauf si le formulaire demande lui-même une connexion.',
})

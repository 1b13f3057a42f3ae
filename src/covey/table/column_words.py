"""What does the name of a column tell: whom it names, where somebody lives, what a record counts?

Words of English, German, French, Spanish, Italian, Dutch and Portuguese, told apart in
``patient_id``, ``PatientID`` and ``Patient-Nr.``
"""

from __future__ import annotations

import re
import unicodedata


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


_PERSONAL = _words("""
    name surname lastname firstname forename fullname nickname username login
    vorname nachname familienname rufname nom prenom nombre apellido apellidos nome cognome
    sobrenome naam voornaam achternaam
    email mail emailadresse correo courriel
    phone telephone tel telefon telefono telefoon fax mobile handy mobil telefonnummer handynummer
    address adresse anschrift street strasse rue calle via direccion indirizzo hausnummer
""")
"""Words for what people are called and where they are found: several may share it."""

_IDENTIFYING = _PERSONAL | _words("""
    id ids uuid guid identifier pid uid ident idnr
    ssn passport passnummer ausweis ausweisnummer iban bic kontonummer steuernummer steuerid nhs
    versichertennummer sozialversicherungsnummer svnr personennummer matrikelnummer kundennummer
    patientennummer fallnummer aktenzeichen mitgliedsnummer nif dni nie bsn siret
    rownames rownumber rowid caseid respid hhid persnr
""")
"""Words that name a person or a record by themselves."""

_COUNTING = _words("""
    nr no number nummer num numero numer key index case record row zeile lfd lfdnr laufnummer code
    ref reference schluessel seq sequence unnamed
""")
"""Words that name a record only where every record has another value."""

_ENTITIES = _words("""
    individual person patient respondent subject participant proband household haushalt family
    familie hh customer kunde employee pupil student schueler menage hogar
""")
"""Words for whom a record is about: with many values, they name her."""

_NUMBERS_OF = _words("nr no number nummer num numero id ident key kennung kennziffer")
"""Words that make an identifier of whom a record is about: the number of a household."""

_CODES = _words("""
    isco kldb nace wz naics sic soc sitc nuts lau ags ars fips icd ops drg atc cpt gnd isic nogea
    gemeindekennziffer gemeindeschluessel kreisschluessel kreiskennziffer berufskennziffer
    occode indcode occupationcode industrycode diagnosis diagnose diagnosecode
""")
"""Words for classifications, whose codes are names even if they are written in digits."""

_KINDS = _words("""
    sex gender geschlecht sexe sexo genere race ethnicity ethnie religion konfession marital
    familienstand nationality staatsangehoerigkeit citizenship country land region state bundesland
    kanton occupation beruf profession industry branche sector sektor species
""")
"""Words for groups of people or things: numbers that stand for them have no mean."""

_CLOCK = _words("time hour uhrzeit zeit uhr dep arr departure arrival heure hora beginn ende start")

_MEASURING = _words("""
    of length count size share rate anzahl laenge zahl type kind art typ group gruppe class klasse
    year jahr age alter score
""")
"""Words that turn a name into a measurement: the length of a surname."""

_POSTCODES = _words("plz postleitzahl zip zipcode postcode postal cap cp codepostal postnummer")
_WEIGHTS = _words("""
    wgt wgts weights pweight fnlwgt dweight pspwght pweights gewichtung hochrechnungsfaktor
    hochrechnung hrf designgewicht designweight ponderation ponderacion
""")
_MAYBE_WEIGHTS = _words("weight gewicht wt poids peso")


def words_of(name: str) -> list[str]:
    """Split the name of a column into words without accents and capitals.

    Examples
    --------
    >>> words_of("PatientID"), words_of("Straße-Nr.")
    (['patient', 'id'], ['strasse', 'nr'])
    """
    split = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    plain = unicodedata.normalize("NFKD", split.casefold().replace("ß", "ss"))
    return re.findall(r"[a-z]+|[0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))


def is_identifying(name: str) -> bool:
    """Return whether a name says that the column names persons or records."""
    words = words_of(name)
    joined = "".join(words)
    if set(words) & _MEASURING:
        return False
    if "name" in words and len(words) > 1 and not set(words) & {"full", "last", "first", "user"}:
        return False  # the name of a town is none of a person
    return bool(set(words) & _IDENTIFYING) or joined in _IDENTIFYING


def is_personal(name: str) -> bool:
    """Return whether a name says what people are called or where they are found."""
    words = words_of(name)
    return bool(set(words) & _PERSONAL) or "".join(words) in _PERSONAL


def is_counting(name: str) -> bool:
    """Return whether a name says that the column may number records."""
    words = set(words_of(name))
    return not words & _MEASURING and bool(words & {*_COUNTING, "name"})


def is_entity(name: str) -> bool:
    """Return whether a name is the word for whom a record is about."""
    words = set(words_of(name))
    return bool(words & _ENTITIES) and words <= _ENTITIES | _COUNTING


def is_of_entity(name: str) -> bool:
    """Return whether a name says that the column numbers whom a record is about.

    Examples
    --------
    >>> is_of_entity("HaushaltsNr"), is_of_entity("household size"), is_of_entity("PersonNr")
    (True, False, True)
    """
    words = words_of(name)
    if set(words) & _MEASURING:
        return False
    whom = {*_ENTITIES, *(f"{word}s" for word in _ENTITIES), "schul", "school", "betriebs", "firm"}
    joined = "".join(words)
    glued = any(joined == who + number for who in whom for number in _NUMBERS_OF)
    return glued or (bool(set(words) & whom) and bool(set(words) & _NUMBERS_OF))


def is_code(name: str) -> bool:
    """Return whether a name says that the column holds codes of a classification.

    Examples
    --------
    >>> is_code("ISCO08"), is_code("Diagnose_ICD10"), is_code("social")
    (True, True, False)
    """
    words = words_of(name)
    return bool(set(words) & _CODES) or "".join(words) in _CODES


def is_kind(name: str) -> bool:
    """Return whether a name is the word for a group that people or things belong to."""
    words = set(words_of(name))
    return not words & _MEASURING and bool(words & _KINDS)


def is_clock(name: str) -> bool:
    """Return whether a name speaks of times of day."""
    return bool(set(words_of(name)) & _CLOCK)


def is_postcode(name: str) -> bool:
    """Return whether a name says that the column holds postcodes."""
    words = words_of(name)
    return bool(set(words) & _POSTCODES) or "".join(words) in _POSTCODES


def is_weight(name: str, *, near_one: bool) -> bool:
    """Return whether a name says that the column tells how many people a record stands for.

    A weight may be that of a body, unless the values lie around one.
    """
    words = set(words_of(name))
    named = bool(words & _WEIGHTS) or any(word.endswith("wgt") for word in words)
    return named or (near_one and bool(words & _MAYBE_WEIGHTS))

"""Pairs of statements: a later one that replaces an earlier one, or that only looks like it.

Each pair is told among a dozen other statements. *Learnt*: the rules for updates were made with
these in sight. *Looked at*: measured before any rule was changed for them, and learnt from then.
*Held out*: measured once, no rule was changed for them. False merges are counted beside updates
that were seen, because a statement that vanishes is worse than an old one that still stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Pairs of which the second statement is an update, and pairs of which it is none."""

    name: str
    updates: Pairs
    others: Pairs


SAMPLES = (
    Sample(
        name="learnt",
        updates=(
            ("The standup is at 9:15.", "Standup moved to 9:45 because of the school run."),
            (
                "We deploy from the branch release/2.4.",
                "Deploys come from release/2.5 as of this week.",
            ),
            (
                "My manager is Carla Mendes.",
                "Carla left; I report to Piotr Zielinski now, he is my manager.",
            ),
            ("The tenant limit is 500 users.", "We raised the tenant limit, it's 800 users."),
            ("Use Node 18 for the build.", "The build needs Node 20 these days."),
            ("Retention is 30 days.", "Legal wants 90 days of retention."),
            ("Our flight leaves on Thursday.", "The flight got rebooked to Friday."),
            (
                "The password for the guest network is bluefox77.",
                "Guest network password was changed to redfox12.",
            ),
            (
                "The invoice goes to accounts@oldco.com",
                "Send the invoice to billing@newco.com instead.",
            ),
            ("Dinner is for 6 people.", "Two more are coming, so dinner is for 8 people."),
            ("I weigh 82 kg.", "I'm down to 79 kg."),
            ("Her birthday is on 12 May.", "Sorry, I mixed it up: her birthday is on 21 May."),
            ("The server runs Ubuntu 20.04.", "We upgraded the server to Ubuntu 22.04."),
            ("I take my coffee black.", "I've started taking my coffee with oat milk."),
            ("The office is on the third floor.", "We moved offices: fifth floor."),
            ("Paint the fence white.", "Let's have the fence in green rather than white."),
            (
                "The report should be written in French.",
                "Please write the report in German instead.",
            ),
            ("The timeout is 30 seconds.", "Set the timeout to 45 seconds."),
            ("Max file size: 10 MB.", "Files may be up to 25 MB now."),
            ("Ship to 12 Elm Street.", "Change of address: ship to 48 Oak Avenue."),
            (
                "The contact at the printer's is Joan.",
                "Joan is on leave; the contact is now Priya.",
            ),
            ("We pay 14 dollars an hour.", "Hourly pay went up to 16 dollars."),
            ("The library closes at 6 pm.", "The library stays open until 8 pm from now on."),
            ("Our database is MySQL.", "We migrated the database to PostgreSQL."),
            ("I want short summaries.", "Make the summaries longer, with examples."),
            ("The kickoff is planned for 3 March.", "Kickoff slipped to 10 March."),
            ("Room 204 is ours.", "They gave us room 310 in place of 204."),
            ("Tests are run with nose.", "We dropped nose, tests are run with pytest."),
            ("Alice owns the payments module.", "Ownership of payments went to Bob."),
            ("The discount is 10%.", "The discount has been cut to 5%."),
        ),
        others=(
            ("Standup is at 9:15.", "Retro is at 16:00 now."),
            ("The api server has 8 GB.", "The worker has 16 GB now."),
            ("Carla Mendes handles invoices.", "Piotr Zielinski now handles travel."),
            ("The delivery comes on Monday.", "Pickup is now on Friday."),
            ("Retention of logs is 30 days.", "Retention of backups is 90 days now."),
            ("The staging db is on port 5433.", "The test db now is on port 5434."),
            ("My brother lives in Lyon.", "My sister moved to Porto."),
            ("The red line runs every 10 minutes.", "The blue line now runs every 5 minutes."),
            ("Lunch costs 8 euros.", "Dinner is 15 euros now."),
            ("Prod uses Node 18.", "The docs site now uses Node 20."),
            ("The cat eats 60 grams.", "The dog now gets 200 grams."),
            ("Anna Berg approves budgets.", "Anna Berg also approves hires now."),
            (
                "The meeting with Acme is on Tuesday.",
                "The meeting with Globex is now on Wednesday.",
            ),
            ("Use tabs in Makefiles.", "Use 2 spaces in YAML now."),
            ("Backups run at 2 am.", "Reports now run at 3 am."),
            ("We have 3 printers.", "We now have 5 scanners."),
            ("The band is paid in cash.", "The band now plays until midnight."),
            ("Ticket OPS-12 is blocked.", "Ticket OPS-40 is blocked now."),
            ("Ms. Tanaka teaches maths.", "Mr. Ito teaches physics from now on."),
            ("The deposit is 500 euros.", "The rent is 900 euros now."),
            ("Never call me before 9:00.", "The shop now opens at 8:00."),
            (
                "The window of the bedroom is 120 cm wide.",
                "The window of the kitchen is 90 cm wide now.",
            ),
            ("The front door code is 4471.", "The garage code is now 8812."),
            ("Team A has 5 members.", "Team B now has 7 members."),
            ("The first lap took 80 seconds.", "The second lap took 75 seconds."),
            ("Version 3 is in beta until June.", "Version 4 is in alpha now."),
            ("Our lawyer is Nina Falk.", "Our accountant is now Omar Reyes."),
            ("Parking costs 4 euros an hour.", "Charging the car costs 6 euros an hour now."),
            ("Jo starts work at 8:00.", "Kim now starts work at 10:00."),
            ("The blue folder holds contracts.", "The blue folder is on Maria's desk now."),
            ("The trip to Oslo takes 2 days.", "The trip to Rome takes 4 days now."),
            ("Exports are limited to 1,000 rows.", "Imports are limited to 5,000 rows now."),
        ),
    ),
    Sample(
        name="looked at",
        updates=(
            (
                "The museum opens at 10:00.",
                "The museum opens an hour earlier, at 9:00, as of next month.",
            ),
            ("Our quota is 40 tickets a week.", "Our quota was lowered to 25 tickets a week."),
            (
                "The keynote is given by Ruth Amsel.",
                "Ruth Amsel cancelled, the keynote is given by Deepak Rao.",
            ),
            ("Blood pressure pills: 2 tablets a day.", "The doctor says 3 tablets a day now."),
            (
                "The lease costs 310 euros a month.",
                "They increased the lease to 345 euros a month.",
            ),
            (
                "Standby servers are in eu-west-2.",
                "Standby servers have been moved to eu-central-1.",
            ),
            ("The trial period lasts 14 days.", "We extended the trial period, it lasts 30 days."),
            ("Choir practice is on Wednesday.", "Choir practice was moved to Thursday."),
            (
                "The wiki is at http://wiki.old.internal/home",
                "The wiki now lives at http://docs.new.internal/start",
            ),
            ("The kitchen is 12 m wide.", "I measured again: the kitchen is 11 m wide."),
            ("Mr. Osei supervises my thesis.", "Since May Dr. Lindqvist supervises my thesis."),
            (
                "The release is tagged v1.8.0.",
                "The release is tagged v1.8.1, forget the other tag.",
            ),
            ("Commission is 15 percent.", "From now on commission is 12 percent."),
            ("We expect 300 visitors.", "The count is up, we expect 420 visitors."),
            ("The bus leaves at 7:40.", "New timetable: the bus leaves at 7:55."),
            ("Report sizes in imperial units.", "Sizes in metric units, please."),
            ("The cabin sleeps 4 people.", "With the sofa bed the cabin sleeps 6 people."),
            ("Interest is 3.1%.", "Interest went up to 3.4%."),
            ("Feature freeze is on 2 June.", "Feature freeze got pushed back to 9 June."),
            ("Locker 17 is mine.", "They swapped my locker, it is locker 33 now."),
        ),
        others=(
            ("The museum opens at 10:00.", "The cafe opens at 8:00 now."),
            ("Our quota is 40 tickets a week.", "Their quota is 60 calls a week now."),
            ("The keynote is given by Ruth Amsel.", "The workshop is now given by Deepak Rao."),
            (
                "The lease of the van costs 310 euros.",
                "The lease of the truck now costs 500 euros.",
            ),
            ("Standby servers are in eu-west-2.", "Primary servers are in eu-central-1 now."),
            ("The trial period lasts 14 days.", "The notice period lasts 30 days now."),
            ("Choir practice is on Wednesday.", "Band practice is on Thursday now."),
            ("The kitchen is 12 m wide.", "The hall is 9 m wide now."),
            ("Mr. Osei supervises my thesis.", "Dr. Lindqvist now grades my exam."),
            ("The release is tagged v1.8.0.", "The hotfix is tagged v1.8.1 now."),
            ("Commission on shoes is 15 percent.", "Commission on hats is now 12 percent."),
            ("Adults pay 12 dollars.", "Children pay 6 dollars now."),
            ("The bus to Leeds leaves at 7:40.", "The bus to York leaves at 7:55 now."),
            ("Ada Lund is on call this week.", "Ben Moss is on call next week."),
            ("Interest on the mortgage is 3.1%.", "Interest on savings is now 1.4%."),
            ("Feature freeze is on 2 June.", "Code review ends on 9 June now."),
            ("The north gate closes at 20:00.", "The south gate now closes at 22:00."),
            ("Table 4 seats 6 guests.", "Table 9 now seats 8 guests."),
            ("Printers need 3 days to be repaired.", "Scanners now need 5 days to be repaired."),
            ("I owe Tim 20 euros.", "I owe Lea 35 euros now."),
            ("The shop in Bonn has 3 floors.", "The shop in Cologne now has 5 floors."),
            ("Client Acme pays within 14 days.", "Client Globex now pays within 30 days."),
            ("Nina Falk signs contracts.", "Omar Reyes now signs invoices."),
            ("Speed limit in town is 50 km.", "Speed limit on the motorway is 120 km now."),
            ("The morning shift has 4 nurses.", "The night shift now has 2 nurses."),
        ),
    ),
    Sample(
        name="held out",
        updates=(
            (
                "The pool is heated to 26 degrees.",
                "They turned the heating down, the pool is at 24 degrees now.",
            ),
            ("My landlord is Mr. Abara.", "The house was sold, my landlord is Ms. Quist now."),
            ("Essays have at most 1,200 words.", "The limit for essays was raised to 1,500 words."),
            ("Yoga is on Mondays.", "Yoga moves to Tuesdays from next month."),
            ("The cluster has 12 nodes.", "We added hardware, the cluster has 16 nodes."),
            ("Invoices are due within 30 days.", "Invoices are due within 14 days as of January."),
            ("The ferry leaves at 6:30.", "In winter the ferry leaves at 7:15 instead."),
            ("A ticket is 9 pounds.", "A ticket has gone up to 11 pounds."),
            ("The API lives at https://api.one.io/v1.", "The API moved to https://api.two.io/v2."),
            ("Rehearsal is on 4 April.", "Rehearsal has been postponed to 18 April."),
            ("Tips are split in 5 parts.", "With the new cook tips are split in 6 parts."),
            (
                "The on-duty nurse is Mara Klein.",
                "Mara Klein is ill, the on-duty nurse is Jonas Weiss.",
            ),
            ("Our build image is img-7f3a.", "We switched the build image to img-9c1d."),
            ("Humidity should be 45 percent.", "Keep humidity at 50 percent instead."),
            ("Chapter 3 is due on 1 May.", "The publisher wants chapter 3 by 15 May now."),
            ("The van carries 800 kg.", "After the check the van carries only 650 kg."),
            ("Show dates in UTC.", "Dates in GMT from now on, please."),
            ("The warranty runs for 24 months.", "The warranty was extended to 36 months."),
            ("Our server rack is R-12.", "They relocated us, our server rack is R-31."),
            ("Membership costs 45 dollars a year.", "Membership was cut to 39 dollars a year."),
        ),
        others=(
            ("The pool is heated to 26 degrees.", "The sauna is heated to 85 degrees now."),
            ("My landlord is Mr. Abara.", "My dentist is now Ms. Quist."),
            ("Essays have at most 1,200 words.", "Abstracts now have at most 200 words."),
            ("Yoga for beginners is on Mondays.", "Yoga for seniors is on Tuesdays now."),
            ("The test cluster has 12 nodes.", "The live cluster has 16 nodes now."),
            ("Invoices are due within 30 days.", "Complaints are answered within 14 days now."),
            ("The ferry to Aran leaves at 6:30.", "The ferry to Skye now leaves at 7:15."),
            ("A ticket for the zoo is 9 pounds.", "A ticket for the museum is now 11 pounds."),
            (
                "The billing API lives at https://api.one.io/v1.",
                "The search API now lives at https://api.two.io/v2.",
            ),
            ("Rehearsal is on 4 April.", "The premiere is on 18 April now."),
            ("Mara Klein waters the plants.", "Jonas Weiss now feeds the cats."),
            ("The left engine burns 40 liters.", "The right engine now burns 55 liters."),
            ("Humidity in the cellar is 45 percent.", "Humidity in the attic is now 70 percent."),
            ("Chapter 3 is due on 1 May.", "Chapter 4 is due on 15 May now."),
            ("The van carries 800 kg.", "The trailer now carries 300 kg."),
            ("Warm meals cost 8 euros.", "Cold meals cost 5 euros now."),
            (
                "The warranty on parts runs for 24 months.",
                "The warranty on labour now runs for 6 months.",
            ),
            ("Gate B12 is for flights to Rome.", "Gate C4 is now for flights to Oslo."),
            ("Juniors get 45 dollars a day.", "Seniors get 90 dollars a day now."),
            ("Lab 1 opens at 8:00.", "Lab 2 now opens at 9:00."),
            ("Eva Stein leads the design team.", "Paul Roth now leads the sales team."),
            ("The first module takes 3 weeks.", "The second module now takes 5 weeks."),
            ("Water the roses every 2 days.", "Water the cacti every 14 days from now on."),
            ("User alice has 5 GB of storage.", "User bob now has 20 GB of storage."),
            ("Parcels up to 2 kg cost 5 euros.", "Letters now cost 1 euro."),
        ),
    ),
)
_AROUND = (
    "The logo is blue on white.",
    "We have a cat called Minka.",
    "Deadline for papers is the 4th.",
    "Bring your own laptop.",
    "Hana Sato writes the minutes.",
    "Coffee is 2 euros.",
    "The wifi is slow on floor 2.",
    "We use Slack for chat.",
    "Bus 42 stops at the corner.",
    "The alarm code is KX-55.",
    "Reviews take 3 days.",
    "The summer party is on Saturday.",
    "Ports below 1024 are closed.",
)


def stands(old: str, new: str) -> bool:
    """Whether the older statement stands, told among others before the newer one."""
    from clew.record.delta import Add, Supersede
    from clew.summarize.extractive.cues import built_in_cues
    from clew.summarize.extractive.reading import Reading
    from clew.summarize.extractive.replacing import folded
    from clew.summarize.extractive.statements import statement

    half = len(_AROUND) // 2
    texts = (*_AROUND[:half], old, *_AROUND[half:], new)
    claims = [
        claim
        for n, text in enumerate(texts)
        for claim in statement(
            text, Reading(handle=f"S-{n}", position=n, typed=(text,)), built_in_cues()
        )
    ]
    if not any(claim.item.text == old for claim in claims):
        return True  # nothing was recorded of it: an update has nothing to replace
    kept = [each.item for each in folded(claims, ()) if isinstance(each, Add | Supersede)]
    return any(item.text == old for item in kept)


def rows() -> list[dict[str, Any]]:
    """By sample: how many updates replaced the old statement, how many others did so wrongly."""
    return [
        {
            "name": sample.name,
            "updates": len(sample.updates),
            "seen": sum(not stands(*pair) for pair in sample.updates),
            "others": len(sample.others),
            "false": sum(not stands(*pair) for pair in sample.others),
        }
        for sample in SAMPLES
    ]

//! What an arena refuses, as data: whoever reads it does so in their own language, from `words/`.

#![allow(missing_docs, reason = "the values of a message say by their names what they are")]

use palestra_core::{crate_words, messages};

messages! {
    /// Why something is not done, or not shown.
    pub enum Trouble {
        // The arena itself.

        /// The database does not answer.
        StoreAway {},
        /// It is about to end.
        ShuttingDown {},
        /// There is no page or answer of this address.
        NoAddress {},
        /// The address is there, and is asked in another way.
        WrongMethod {},
        /// This program measures nothing.
        NothingMeasured {},
        /// Something of the arena's own went wrong.
        Broken { why: String },

        // Requests.

        /// Its type is not that of JSON.
        NotJson {},
        /// It is no JSON, or says something else than asked for.
        Unreadable { why: String },
        /// It has too many bytes.
        RequestTooLarge { limit: u64 },
        /// It took too long.
        RequestTooSlow {},
        /// It ended before its end.
        RequestCutOff {},
        /// It comes from a page of another site.
        OtherSite {},
        /// This address, or account, asks too much.
        TooOften {},

        // Who asks.

        /// Only for those who have signed in.
        NotSignedIn {},
        /// Nobody has this key.
        NoSuchKey {},
        /// Only for organisers.
        OrganisersOnly {},
        /// Nobody has this name and this password.
        WrongPassword {},
        /// The password so far is another one.
        WrongOldPassword {},
        /// Others sign in to the same account, or from the same address.
        OthersSignIn {},
        /// Nobody registers here.
        RegistrationClosed {},
        /// The invite code is another one.
        WrongInvite {},
        /// What a key is for is too long.
        LabelTooLong { limit: u64 },
        /// Somebody has enough keys.
        EnoughKeys { limit: u64 },
        /// This player has no such key.
        NoKey { id: i64 },
        /// An organiser would shut out themselves.
        OwnBan {},

        // Names and passwords.

        /// Nobody can be called so.
        BadName { name: String, why: NameFault },
        /// It is no password.
        BadPassword { least: u64, most: u64 },
        /// Somebody is called so.
        NameTaken { name: String },
        /// Somebody's name looks the same.
        NameLooksLike { name: String, other: String },
        /// The name means something else here.
        NameReserved { name: String },
        /// There are enough accounts.
        EnoughAccounts { limit: u64 },
        /// Nobody is called so, or has this number.
        NoPlayer { name: String },

        // Lists of players.

        /// A list is in an old encoding.
        TableEncoding {},
        /// A list is no CSV.
        TableDamaged { why: String },
        /// No column has names.
        TableWithoutNames { line: u64 },
        /// There are more columns than there is an order for.
        TableColumns { line: u64 },
        /// A list has too many lines.
        TableTooLong { limit: u64 },
        /// One line of a list is not to be had.
        TableLine { line: u64, why: Box<Trouble> },

        // What there is not.

        /// The event has no such game.
        NoGame { game: String },
        /// There is no such round.
        NoRound { round: u32 },
        /// There is no such match.
        NoMatch { id: i64 },
        /// A match is called by a number.
        NoMatchNumber {},
        /// There is no such bot.
        NoBot { bot: i64 },
        /// This player has no such version.
        NoVersion { version: i64 },
        /// There is no such kit.
        NoKit {},
        /// There is no such file to download.
        NoDownload {},
        /// Too many download at the same time.
        ManyDownloads {},
        /// This match is not shown to everybody.
        MatchNotShown {},

        // The event.

        /// It is over.
        EventOver {},
        /// It is over, and nothing is handed in.
        HandInOver {},
        /// Clients do not play this game.
        NoClients { game: String },
        /// This player's client is at a match.
        ClientPlays {},
        /// An organiser has shut this player out.
        ShutOut {},
        /// An announcement without a word.
        EmptyAnnouncement {},
        /// A text is too long.
        TextTooLong { limit: u64 },
        /// A round of the game goes on.
        RoundGoesOn {},
        /// A round cannot be started, paused, ended from where it stands.
        RoundStands { round: String, state: RoundStanding },

        // Playing by hand.

        /// The event is paused.
        EventPaused {},
        /// Too many matches go on.
        TooManyMatches {},
        /// Only for those who have signed in.
        HandPlayersOnly {},
        /// Nobody plays by hand.
        NoHandPlay {},
        /// There is no such table.
        NoTable {},
        /// The link leads to nothing any more.
        TableGone {},
        /// This player has enough matches.
        EnoughTables { limit: u64 },
        /// So have the guests of one network.
        ManyGuests {},
        /// So has the arena.
        TablesTaken {},
        /// It is the own invitation.
        SitsAlready {},
        /// The match goes on.
        MatchNotOver {},
        /// An invitation has to be accepted first.
        AcceptFirst {},
        /// A game is for more, or fewer.
        WrongSeats { game: String, least: u32, most: u32, seats: u32 },
        /// Nobody, or somebody twice.
        OneSeatForYourself {},
        /// This house player does not play.
        NoOpponent { name: String, known: String },
        /// There is no such map.
        NoMap { map: String },

        // Challenges.

        /// There are none in this event.
        NoChallenges {},
        /// More matches than one challenge has, or none.
        ChallengeMatches { limit: u64 },
        /// This player has enough of them.
        EnoughChallenges { limit: u64 },
        /// So has the arena.
        ManyChallenges {},
        /// This player has no such challenge.
        NoChallenge { id: i64 },
        /// Somebody else has asked for it.
        OthersChallenge {},
        /// It is over.
        ChallengeOver {},
        /// Both sides would be the same.
        VersionAgainstItself {},
        /// There is nothing to play with.
        NothingToPlayWith {},
        /// The opponent does not play this game.
        NoChallenged {},
        /// It is the own bot.
        OwnBot {},
        /// The opponent was shut out.
        OpponentGone {},
        /// The opponent's bot does not start.
        OpponentBroken { name: String },
        /// The opponent's bot waits for its first match.
        OpponentUntried { name: String },
        /// The opponent has nothing that plays.
        OpponentWithout { name: String },
        /// A bot of it is not there any more.
        ChallengeBotGone {},
        /// Its matches cannot be played.
        ChallengeFailed { why: String },

        // Players who are followed.

        /// Enough are followed.
        EnoughFollows { limit: u64 },
        /// Some are asked for in another way than by numbers.
        NoPlayerNumbers { limit: u64 },
        /// Too many matches are marked at a time.
        ManySeen { limit: u64 },

        // Corrections.

        /// A match goes on.
        MatchGoesOn {},
        /// A match does not count already.
        VoidAlready {},
        /// Only scored matches are played again.
        NotPlayedAgain {},
        /// The round of a match is gone.
        RoundGone {},
        /// The round of a match has not begun.
        RoundNotBegun {},
        /// A match has been played again.
        PlayedAgainSince {},
        /// The tournament of the round says no.
        NotCorrected { why: String },

        // Courses.

        /// The course has no such step.
        NoStep { step: String },
        /// This player has nothing that could be checked.
        NothingToCheck { game: String },
        /// Enough steps of this player wait.
        EnoughSteps { limit: u64 },
        /// So do those of everybody.
        ManySteps {},

        // What is handed in.

        /// Nothing is handed in for this game.
        NoSubmissions { game: String },
        /// The last one is still being received.
        HandingIn {},
        /// Many hand something in.
        ManyHandIn {},
        /// Enough for a while.
        EnoughVersions { limit: u64, minutes: u64 },
        /// The former ones wait.
        VersionsWait { limit: u64 },
        /// Enough tries for a while.
        EnoughTrials { limit: u64, minutes: u64 },
        /// What is tried is a source.
        NoSource { file: String, endings: String },
        /// It is too large for a try.
        TrialTooLarge { file: String, limit: u64 },
        /// A version is so old that its file is gone.
        NotKept {},
        /// No room is left for this player.
        NoRoom { used: u64, limit: u64 },
        /// A version cannot play.
        VersionNotReady { version: u32, why: VersionFault },
        /// It is no name of a file.
        NoFileName { file: String },
        /// A file without a byte.
        EmptyFile { file: String },
        /// A file with too many.
        FileTooLarge { file: String, limit: u64 },
        /// It is neither source nor archive nor program.
        UnknownKind { file: String, endings: String },
        /// There is nothing to start in it.
        NothingToStart { endings: String },
        /// There are several to start in it.
        SeveralToStart { files: String },
        /// Several are called main.
        SeveralMains { files: String },
        /// Two files have one name.
        TwiceInArchive {},
        /// A file is there twice.
        FileTwice { file: String },
        /// It is no archive, or damaged.
        ArchiveDamaged { why: String },
        /// Links and devices are not taken.
        NeitherFileNorFolder { file: String },
        /// It is too large unpacked.
        ArchiveTooLarge { limit: u64 },
        /// It has too many files.
        ArchiveTooMany { limit: u64 },
        /// This machine could not unpack it.
        NotUnpacked { file: String, why: String },
        /// The name of a file in it is not taken.
        BadPath { path: String, why: PathFault },
    }
}

messages! {
    /// Why somebody cannot be called so.
    pub enum NameFault {
        /// It is empty, or too long.
        NameLength { limit: u64 },
        /// This character is not taken.
        NameCharacter { character: String },
        /// It begins with something else than a letter or a digit.
        NameStart {},
        /// Its letters are of several alphabets.
        NameScripts {},
        /// A letter has too many marks.
        NameMarks { limit: u64 },
    }
}

messages! {
    /// Where a round stands.
    pub enum RoundStanding {
        /// It has not begun.
        RoundWaiting {},
        /// It goes on.
        RoundRunning {},
        /// An organiser has stopped it for a while.
        RoundPaused {},
        /// It is over.
        RoundOver {},
        /// It was called off.
        RoundCancelled {},
    }
}

messages! {
    /// Why a version cannot play.
    pub enum VersionFault {
        /// It was rejected.
        VersionRejected {},
        /// It waits to be tried.
        VersionUntried {},
        /// Its file is not kept any more.
        VersionForgotten {},
    }
}

messages! {
    /// What is wrong with the name of a file in an archive.
    pub enum PathFault {
        /// It is too long.
        PathLength { limit: u64 },
        /// It is absolute.
        PathRoot {},
        /// It is too deep.
        PathDepth { limit: u64 },
        /// It leads out of its folder.
        PathLeaves {},
        /// Some character is not taken.
        PathCharacters {},
    }
}

crate_words!(Trouble);

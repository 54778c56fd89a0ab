// A client for Rock Paper Scissor: everything but the strategy, which is in main.cpp.
//
// A strategy that was written for the contest's own sample client compiles as it is: put it beside these headers.
//
//   ./client [HOST [PORT]]     plays through a server, by default on this machine and port 4242
//   ./client --stdio           plays one match through standard input and output, without a server
//   ./client --test FILE       prints its answer to the packet in FILE, and ends
//
// Palestra starts it without arguments: when standard input is no terminal and no host is named, or when the environment
// variable PALESTRA_BOT is set, it plays as with --stdio.
//
//   --debug            writes debug.log with --stdio too; through a server it always does (see NeedDebugLog)
//   --retry SECONDS    how long to wait before connecting, or logging in, again (5)
//   --once             ends when the connection does, instead of connecting again
//
// Started with a file test.txt beside it, or in the current folder, it prints its answer to the packet in there before it
// connects: take the packet that went wrong out of debug.log, put it there, and use a debugger.
//
// Builds with any C++17 compiler on Linux, macOS and Windows:
//
//   g++ -std=c++17 -O2 main.cpp -o client                 with MinGW on Windows, add -lws2_32
//   cl /std:c++17 /O2 /EHsc main.cpp /Fe:client.exe
#pragma once

#ifdef _MSC_VER
#define _CRT_SECURE_NO_WARNINGS  // getenv is good enough here
#endif

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "parser.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <winsock2.h>
#include <ws2tcpip.h>
#include <fcntl.h>
#include <io.h>
// The headers of Windows take these words away, which a strategy may well want.
#undef near
#undef far
#undef SendMessage
#ifdef _MSC_VER
#pragma comment(lib, "ws2_32.lib")
#endif
#else
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
#endif

// A connection to the server: lines in, text out.
class CONNECTION {
public:
    CONNECTION() {
#ifdef _WIN32
        WSADATA data;
        WSAStartup(MAKEWORD(2, 2), &data);
#endif
    }
    ~CONNECTION() {
        Close();
#ifdef _WIN32
        WSACleanup();
#endif
    }
    CONNECTION(const CONNECTION &) = delete;
    CONNECTION &operator=(const CONNECTION &) = delete;

    bool Open(const std::string &host, const std::string &port) {
        Close();
        addrinfo wish{};
        wish.ai_socktype = SOCK_STREAM;
        addrinfo *found = nullptr;
        if (getaddrinfo(host.c_str(), port.c_str(), &wish, &found) != 0) return false;
        for (addrinfo *one = found; one != nullptr && mSocket == NONE; one = one->ai_next) {
            mSocket = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
            if (mSocket == NONE) continue;
            if (connect(mSocket, one->ai_addr, static_cast<LENGTH>(one->ai_addrlen)) != 0) Close();
        }
        freeaddrinfo(found);
        if (mSocket == NONE) return false;
        // An answer must not wait for more to send.
        int on = 1;
        setsockopt(mSocket, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char *>(&on), sizeof on);
        return true;
    }

    bool Send(const std::string &text) {
        size_t sent = 0;
        while (sent < text.size()) {
            auto count = send(mSocket, text.data() + sent, static_cast<SIZE>(text.size() - sent), 0);
            if (count <= 0) return false;
            sent += static_cast<size_t>(count);
        }
        return true;
    }

    // The next line, without its end; false when the connection is over.
    bool ReadLine(std::string &line) {
        for (;;) {
            size_t end = mReceived.find('\n', mRead);
            if (end != std::string::npos) {
                line = mReceived.substr(mRead, end - mRead);
                mRead = end + 1;
                return true;
            }
            mReceived.erase(0, mRead);
            mRead = 0;
            char buffer[16384];
            auto count = recv(mSocket, buffer, sizeof buffer, 0);
            if (count <= 0 || mReceived.size() > MOST_RECEIVED) return false;
            mReceived.append(buffer, static_cast<size_t>(count));
        }
    }

    void Close() {
        if (mSocket != NONE) {
#ifdef _WIN32
            closesocket(mSocket);
#else
            close(mSocket);
#endif
        }
        mSocket = NONE;
        mReceived.clear();
        mRead = 0;
    }

private:
#ifdef _WIN32
    using HANDLE_TYPE = SOCKET;
    using LENGTH = int;
    using SIZE = int;
    static constexpr SOCKET NONE = INVALID_SOCKET;
#else
    using HANDLE_TYPE = int;
    using LENGTH = socklen_t;
    using SIZE = size_t;
    static constexpr int NONE = -1;
#endif
    // No line of the server is as long as this.
    static constexpr size_t MOST_RECEIVED = 1 << 20;

    HANDLE_TYPE mSocket = NONE;
    std::string mReceived;
    size_t mRead = 0;
};

// The arena of the contest.
constexpr int WIDTH = 20, HEIGHT = 20;

// What a strategy is made from: see MYCLIENT in main.cpp.
class CLIENT {
public:
    // One line of the list of players.
    struct PLAYER {
        int id = 0, match_wins = 0, elo_points = 0;  // match_wins are match points
        std::string name;
    };
    // As the server told it last: at every login, and now and then between matches.
    std::vector<PLAYER> Players;

    virtual ~CLIENT() = default;

    // The strategy's own answer to a packet.
    std::string DebugResponse(std::vector<std::string> &text) { return HandleServerResponse(text); }

    // Does what the command line asks for; gives the program's exit code.
    int Run(int argc, char **argv) {
        OPTIONS options;
        if (!ReadOptions(argc, argv, options)) return 2;
#ifndef _WIN32
        // A connection that breaks is no reason to die: sending says so.
        std::signal(SIGPIPE, SIG_IGN);
#endif
        if (!options.test.empty()) return Test(options.test) ? 0 : 1;
        if (options.stdio) {
            mLogging = options.debug;
            return PlayHere();
        }
        mLogging = NeedDebugLog() || options.debug;
        Test(Folder(argv[0]) + "test.txt") || Test("test.txt");
        return PlayThere(options);
    }

protected:
    // Your key: the password that the organiser gave you, or a key from your page at the arena's site.
    virtual std::string GetPassword() = 0;
    // Whom you want to play: numbers with spaces between them, "any", "bot", a mixture, or "" for nobody.
    virtual std::string GetPreferredOpponents() = 0;
    // The answer to a packet, given as its lines. The line with the point at the end may be left out.
    virtual std::string HandleServerResponse(std::vector<std::string> &ServerResponse) = 0;
    // Whether to write debug.log.
    virtual bool NeedDebugLog() { return true; }
    // The connection has ended; unless --once was given, it is made again.
    virtual void ConnectionClosed() {}
    // Sends a line to the server, outside of answers.
    void SendMessage(const std::string &message) { mConnection.Send(message + "\n"); }

    // The log, for a strategy's own remarks; what is written to it while there is no log is lost.
    std::ofstream mDebugLog;

private:
    struct OPTIONS {
        std::string host = "localhost", port = "4242", test;
        bool stdio = false, debug = false, once = false;
        int retry = 5;
    };

    bool ReadOptions(int argc, char **argv, OPTIONS &options) {
        int named = 0;
        for (int i = 1; i < argc; i++) {
            std::string word = argv[i];
            bool last = i + 1 == argc;
            if (word == "--stdio") options.stdio = true;
            else if (word == "--debug") options.debug = true;
            else if (word == "--once") options.once = true;
            else if (word == "--test" && !last) options.test = argv[++i];
            else if (word == "--retry" && !last) options.retry = std::atoi(argv[++i]);
            else if (word.substr(0, 1) != "-" && named == 0) { options.host = word; named++; }
            else if (word.substr(0, 1) != "-" && named == 1) { options.port = word; named++; }
            else {
                std::cerr << "usage: client [--debug] [--retry SECONDS] [--once] [HOST [PORT]]\n"
                             "       client --stdio [--debug]\n"
                             "       client --test FILE\n";
                return false;
            }
        }
        if (std::getenv("PALESTRA_BOT") != nullptr || (named == 0 && !IsTerminal())) options.stdio = true;
        return true;
    }

    static bool IsTerminal() {
#ifdef _WIN32
        return _isatty(0) != 0;
#else
        return isatty(0) != 0;
#endif
    }

    // The folder of a program, with a slash behind it; empty if it is not known.
    static std::string Folder(const std::string &program) {
        size_t slash = program.find_last_of("/\\");
        return slash == std::string::npos ? "" : program.substr(0, slash + 1);
    }

    // Answers the packet in a file; false if there is none.
    bool Test(const std::string &path) {
        std::ifstream file(path);
        if (!file) return false;
        std::vector<std::string> packet;
        for (std::string line; std::getline(file, line);) {
            StripReturn(line);
            packet.push_back(line);
            if (line == ".") break;
        }
        std::cout << Answer(packet) << std::flush;
        return true;
    }

    int PlayHere() {
#ifdef _WIN32
        _setmode(0, _O_BINARY);
        _setmode(1, _O_BINARY);
#endif
        for (std::string line; std::getline(std::cin, line);) {
            StripReturn(line);
            mPacket.push_back(line);
            if (line != ".") continue;
            bool over = IsLast(mPacket);
            std::cout << Answer(mPacket) << std::flush;
            mPacket.clear();
            if (over) break;
        }
        return 0;
    }

    int PlayThere(const OPTIONS &options) {
        for (;;) {
            if (mConnection.Open(options.host, options.port)) {
                std::cout << "connected to " << options.host << " port " << options.port << std::endl;
                mPacket.clear();
                mLoggedIn = false;
                mConnection.Send("login " + GetPassword() + "\n");
                for (std::string line; mConnection.ReadLine(line);) {
                    StripReturn(line);
                    if (!HandleLine(line, options)) break;
                }
                std::cout << "the connection is closed" << std::endl;
                ConnectionClosed();
            } else {
                std::cout << "cannot connect to " << options.host << " port " << options.port << std::endl;
            }
            mConnection.Close();
            if (options.once) return 0;
            Wait(options);
        }
    }

    static void Wait(const OPTIONS &options) { std::this_thread::sleep_for(std::chrono::seconds(options.retry)); }

    // One line of the server; false if the connection is of no more use.
    bool HandleLine(const std::string &line, const OPTIONS &options) {
        if (line == "fail") {
            // The password is wrong, or this player is in a match elsewhere.
            std::cout << "login failed" << std::endl;
            Wait(options);
            return mConnection.Send("login " + GetPassword() + "\n");
        }
        if (line == "ping") {
            std::string text = "pong\n";
            if (!mLoggedIn) {
                mLoggedIn = true;
                std::cout << "logged in" << std::endl;
                text += "opponent " + GetPreferredOpponents() + "\n";
            }
            return mConnection.Send(text);
        }
        mPacket.push_back(line);
        if (line != ".") return true;
        std::vector<std::string> packet;
        packet.swap(mPacket);
        if (packet.front().compare(0, 7, "players") == 0) {
            ParsePlayers(packet);
            return true;
        }
        if (IsLast(packet)) std::cout << packet[packet.size() - 2] << std::endl;
        return mConnection.Send(Answer(packet));
    }

    static bool IsLast(const std::vector<std::string> &packet) {
        return packet.size() >= 2 && packet[packet.size() - 2].compare(0, 8, "finished") == 0;
    }

    void ParsePlayers(const std::vector<std::string> &packet) {
        Players.clear();
        for (size_t i = 1; i + 1 < packet.size(); i++) {
            std::istringstream words(packet[i]);
            PLAYER player;
            words >> player.id >> player.match_wins >> player.elo_points;
            std::getline(words >> std::ws, player.name);
            Players.push_back(player);
        }
    }

    // The whole answer to a packet, in the log too.
    std::string Answer(std::vector<std::string> &packet) {
        std::string text;
        for (const std::string &line : packet) text += line + "\n";
        // Before the strategy is asked: its own remarks, and the packet that makes it crash, are there then.
        Log(text + "\n");
        std::string answer = HandleServerResponse(packet);
        if (!answer.empty() && answer.back() != '\n') answer += "\n";
        if (answer != ".\n" && (answer.size() < 3 || answer.compare(answer.size() - 3, 3, "\n.\n") != 0)) answer += ".\n";
        Log(answer + "\n");
        return answer;
    }

    void Log(const std::string &text) {
        if (!mLogging) return;
        if (!mDebugLog.is_open()) mDebugLog.open(LOG_FILE, std::ios::app | std::ios::ate | std::ios::binary);
        if (mDebugLog.tellp() > MOST_LOGGED) {
            mDebugLog.close();
            mDebugLog.open(LOG_FILE, std::ios::trunc | std::ios::binary);
        }
        mDebugLog << text << std::flush;
    }

    static void StripReturn(std::string &line) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
    }

    static constexpr const char *LOG_FILE = "debug.log";
    // The log begins anew at this size, so that a long day does not fill the disk.
    static constexpr std::streamoff MOST_LOGGED = std::streamoff(64) << 20;

    CONNECTION mConnection;
    std::vector<std::string> mPacket;
    bool mLoggedIn = false;
    bool mLogging = false;
};

// Makes the strategy: every strategy has one of these.
CLIENT *CreateClient();

#if defined(__GNUC__) && !defined(_WIN32)
// A strategy in several source files has this in each of them.
__attribute__((weak))
#endif
int main(int argc, char **argv) {
    std::unique_ptr<CLIENT> client(CreateClient());
    return client->Run(argc, argv);
}
